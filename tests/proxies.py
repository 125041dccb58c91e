"""nginx and Caddy on free ports of this machine, with the snippets in deploy/."""

import contextlib
import os
import socket
import subprocess
import time
from pathlib import Path

DEPLOY = Path(__file__).parents[1] / "deploy"

_NGINX = """
daemon off; pid {folder}/pid; error_log stderr crit; {user}
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; {snippet} }}
}}
"""

# Ports of its own, certificates by its own authority, and no change to this machine.
_CADDY = """{{
  admin off
  http_port {other}
  https_port {port}
  skip_install_trust
  local_certs
  storage file_system {folder}
}}
import {snippet}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@contextlib.contextmanager
def nginx(folder, upstream, limit="50m"):
    """The snippet for a path, with this upload limit; yields the site's address."""
    port = free_port()
    snippet = (DEPLOY / "nginx-path.conf").read_text()
    assert "127.0.0.1:8765" in snippet
    snippet = snippet.replace("127.0.0.1:8765", upstream.removeprefix("http://"))
    snippet = snippet.replace("client_max_body_size 50m", f"client_max_body_size {limit}")
    user = "user root;" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, port=port, snippet=snippet, user=user))
    with _running(["nginx", "-e", "stderr", "-p", folder, "-c", config], port):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def caddy(folder, upstream, name="Caddyfile"):
    """A Caddyfile for localhost, with https; yields the site's address."""
    port, config = free_port(), folder / "Caddyfile"
    values = {"port": port, "other": free_port(), "folder": folder, "snippet": DEPLOY / name}
    config.write_text(_CADDY.format(**values))
    variables = {
        "COMMONGROUND_NAME": "localhost",
        "COMMONGROUND_APP": upstream.removeprefix("http://"),
        "HOME": str(folder),
    }
    command = ["caddy", "run", "--config", config, "--adapter", "caddyfile"]
    with _running(command, port, **variables):
        yield f"https://localhost:{port}"


@contextlib.contextmanager
def _running(command, port, **variables):
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        [*map(str, command)], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        while True:
            assert process.poll() is None, process.stderr.read()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.communicate()
