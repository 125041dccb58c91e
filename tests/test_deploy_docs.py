"""The commands for servers in the documentation agree with the files in deploy/."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from test_docs import unknown_words

ROOT = Path(__file__).parents[1]
UNIT = (ROOT / "deploy" / "commonground.service").read_text("utf-8")
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("deployment", "backup", "accounts")]
COMPOSE = "docker compose --file deploy/compose.yaml "


def lines(*pages):
    """The lines of a terminal and of a crontab in the pages, without their prompts."""
    text = "\n".join(page.read_text("utf-8") for page in pages or PAGES)
    blocks = "\n".join(re.findall(r"^```console\n(.*?)^```", text, flags=re.S | re.M))
    return re.sub(r"^[$#] ", "", blocks.replace("\\\n", " "), flags=re.M).splitlines()


def ours(line):
    """The parts of a line that call commonground, each from its program on."""
    return re.findall(r"(?:/\S+/)?commonground (?:backup|restore|accounts)[^&<]*", line)


def test_commands_have_options_that_exist():
    found = [call for line in lines() for call in ours(line)]
    assert len(found) >= 12
    for call in found:
        _, _, words = call.partition("commonground ")
        assert unknown_words(f"commonground {words}") == [], call


def test_paths_are_those_of_the_unit_and_of_the_containers():
    (program,) = re.findall(r"^ExecStart=(\S+)", UNIT, re.M)
    (folder,) = re.findall(r"^StateDirectory=(.*)$", UNIT, re.M)
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    (volume,) = compose["services"]["app"]["volumes"]
    inside = volume.partition(":")[2]
    for line in lines():
        for call in ours(line):
            words = shlex.split(call)
            files = [word for word in words if word.endswith(".zip")]
            if COMPOSE in line:
                assert words[0] == "commonground"  # on the path of the image
                assert "--data" not in words
                assert all(file.startswith(f"{inside}/") for file in files)
                continue
            assert words[0] == program
            assert all(file.startswith("/var/backups/commonground/") for file in files)
            if "EnvironmentFile=/etc/commonground/environment" in line:
                assert "--data" not in words
            else:
                assert words[words.index("--data") + 1] == f"/var/lib/{folder}"
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert "/srv/" not in text
    assert f"python3 -m venv {Path(program).parents[1]}\n" in text


def test_compose_is_told_its_file_and_services_that_it_has():
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    text = "\n".join(page.read_text("utf-8") for page in (*PAGES, ROOT / "README.md"))
    assert text.count("docker compose ") == text.count(COMPOSE) >= 10
    calls = [call for line in lines() for call in line.split(COMPOSE)[1:]]
    assert {call.split()[0] for call in calls} == {"up", "ps", "logs", "exec", "cp"}
    for call in calls:
        words = [word for word in call.split()[1:] if not word.startswith("-")]
        if call.split()[0] in ("exec", "logs", "cp"):
            assert words[0].partition(":")[0] in services


def test_what_cron_runs_needs_no_path_and_no_terminal():
    found = [line for line in lines() if line.startswith("15 3 * * * ")]
    assert len(found) == 3
    for line in found:
        assert "%" not in line.replace(r"\%", "")
        for call in ours(line):
            assert call.startswith("/") or f"{COMPOSE}exec -T app {call}" in line


@pytest.mark.parametrize(
    ("file", "begins"), [("Caddyfile", "grace.example.net {"), ("nginx.conf", "server {")]
)
def test_the_files_of_the_proxies_get_the_name(file, begins, tmp_path):
    page = lines(ROOT / "docs" / "deployment.md")
    (line,) = (one for one in page if one.startswith("sed ") and f" deploy/{file} " in one)
    command, _, target = line.partition(" > ")
    assert (
        target
        == {
            "Caddyfile": "/etc/caddy/Caddyfile",
            "nginx.conf": "/etc/nginx/conf.d/commonground.conf",
        }[file]
    )
    script = f"name=grace.example.net\n{command}"
    done = subprocess.run(["sh", "-euc", script], cwd=ROOT, capture_output=True, text=True)
    made = re.sub(r"\{\$COMMONGROUND_NAME:([^}]+)\}", r"\1", done.stdout)
    assert "study.example.org" not in made
    assert begins in made.splitlines()
    assert made.count("grace.example.net") >= 1


def test_nginx_serves_the_proof_where_certbot_puts_it():
    conf = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    page = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    proof = re.search(r"location /\.well-known/acme-challenge/ \{\s+root (\S+);", conf)
    assert f"--webroot-path {proof[1]} " in page
    (certificates,) = re.findall(r"ssl_certificate /etc/letsencrypt/live/(\S+)/", conf)
    assert certificates in re.findall(r"^# name=(\S+)$", page, re.M)


def test_what_the_service_needs_is_installed():
    installs = [line for line in lines() if "/pip install" in line]
    assert len(installs) == 2
    for line in installs:
        assert {"web", "postgres", "oidc"} == set(re.search(r"\[(.*)\]", line)[1].split(","))
    assert "IPAddressDeny=any" in UNIT
    assert "IPAddressDeny=" in lines()
