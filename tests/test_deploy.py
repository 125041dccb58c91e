"""The files in deploy/ agree with the server and with each other; `make test-image` runs them."""

import ipaddress
import re
import shlex
from pathlib import Path

import pytest
import yaml

from commonground.web import PORT, WebSettings, default_data
from commonground.web.security import middleware
from test_docs import unknown_words

DEPLOY = Path(__file__).parents[1] / "deploy"


def _read(name):
    return (DEPLOY / name).read_text("utf-8")


@pytest.fixture
def compose():
    return yaml.safe_load(_read("compose.yaml"))


def test_the_server_is_started_with_options_that_it_has(compose):
    (unit,) = re.findall(r"^ExecStart=\S+/commonground (.*)$", _read("commonground.service"), re.M)
    (image,) = re.findall(r"^CMD (\[.*\])$", _read("Dockerfile"), re.M)
    commands = (
        unit,
        shlex.join(yaml.safe_load(image)),
        " ".join(compose["services"]["app"]["command"]),
    )
    for command in commands:
        assert unknown_words(f"commonground {command}") == []


def test_the_unit_has_no_folder_beside_a_database_and_no_password_of_its_own():
    unit, example = _read("commonground.service"), _read("systemd.env")
    (command,) = re.findall(r"^ExecStart=\S+/commonground (.*)$", unit, re.M)
    assert command.split()[-1] == "$COMMONGROUND_OPTIONS"
    assert "--data" not in command
    assert not re.findall(r"^Environment=.*COMMONGROUND_DATABASE", unit, re.M)
    assert "EnvironmentFile=-/etc/commonground/environment" in unit
    (options,) = re.findall(r"^COMMONGROUND_OPTIONS=(.*)$", example, re.M)
    assert unknown_words(f"commonground serve {options}") == []
    names = re.findall(r"^#?([A-Z_]+)=", example, re.M)
    assert names == ["COMMONGROUND_OPTIONS", "COMMONGROUND_OIDC_SECRET", "COMMONGROUND_DATABASE"]


def test_the_data_of_the_unit_are_in_its_own_folder(monkeypatch):
    unit = _read("commonground.service")
    (home,) = re.findall(r"XDG_DATA_HOME=(\S+)", unit)
    (folder,) = re.findall(r"^StateDirectory=(.*)$", unit, re.M)
    monkeypatch.setenv("XDG_DATA_HOME", home.replace("%S", "/var/lib"))
    assert default_data() == Path("/var/lib") / folder


def test_the_proxy_in_its_container_is_trusted(compose):
    words = compose["services"]["app"]["command"]
    (trusted,) = (word.partition("=")[2] for word in words if word.startswith("--trusted-proxy="))
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert trusted == network["subnet"]  # also if the variable is set
    variable, default = re.fullmatch(r"\$\{(\w+):-([^}]+)\}", trusted).groups()
    assert f"#{variable}={default}" in _read("env.example").splitlines()
    assert ipaddress.ip_network(default).is_private
    WebSettings(password="a long password", host="0.0.0.0", trusted_proxies=(default,))
    assert compose["services"]["caddy"]["environment"]["COMMONGROUND_APP"] == f"app:{PORT}"


def test_every_variable_of_the_compose_file_is_in_the_example():
    used = set(re.findall(r"\$\{(\w+):\?", _read("compose.yaml")))
    assert used == set(re.findall(r"^(\w+)=", _read("env.example"), re.M))


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("nginx.conf", r"client_max_body_size (\d+)m;"),
        ("nginx-path.conf", r"client_max_body_size (\d+)m;"),
        ("Caddyfile", r"max_size (\d+)MB"),
        ("Caddyfile.path", r"max_size (\d+)MB"),
    ],
)
def test_proxies_let_the_largest_upload_through(name, limit):
    (megabytes,) = re.findall(limit, _read(name))
    assert int(megabytes) * 1_000_000 >= max(middleware._MAX_BYTES_BY_PATH.values())
    assert f":{PORT}" in _read(name)


def test_the_image_runs_without_rights_and_knows_its_port():
    text = _read("Dockerfile")
    assert re.findall(r"^USER (.*)$", text, re.M) == ["10001"]
    assert re.findall(r"^EXPOSE (.*)$", text, re.M) == [str(PORT)]
    assert f"127.0.0.1:{PORT}/healthz" in text
    for name in re.findall(r"requirements/\S+", text):
        assert (DEPLOY.parent / name).is_file()
    kept = _read("Dockerfile.dockerignore").splitlines()
    for line in re.findall(r"^COPY (?!--)(.*)$", text, re.M):
        for source in line.split()[:-1]:
            assert f"!{source.split('/')[0]}" in kept
