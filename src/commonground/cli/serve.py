"""`commonground serve`: the pages, on this machine."""

import os
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.terminal import note
from commonground.errors import InputError
from commonground.io import read_text
from commonground.web import PORT, WebSettings, default_data, default_workers
from commonground.web import serve as serve_pages


def serve(
    host: Annotated[
        str,
        typer.Option(help="The address to listen on; others than this machine's need a password."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any free one.", min=0, max=65535)] = PORT,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the database; your data folder, unless said.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="Another database: postgresql://USER:PASSWORD@HOST/NAME.")
    ] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(help="File with the password, or its argon2 hash; or COMMONGROUND_PASSWORD."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that do the work; one a core, at most 4.", min=1)
    ] = None,
    queue: Annotated[int, typer.Option(help="Jobs that may wait before 503.", min=1)] = 32,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy", help="A proxy on this machine adds https; needs a password."
        ),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in a browser.")
    ] = False,
) -> None:
    """Compare, score, grade and annotate in a browser, on your own machine."""
    if data and database:
        raise InputError("give either --data or --database, not both")
    settings = WebSettings(
        host=host,
        port=port,
        data=data or default_data(),
        database=database,
        password=_password(password_file),
        workers=workers or default_workers(),
        queue=queue,
        behind_proxy=behind_proxy,
    )

    def ready(address: str) -> None:
        note(f"listening on {address} (Ctrl-C ends it)")
        if not no_browser:
            # A browser in the terminal would hold up the server until it is left.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve_pages(settings, ready)


def _password(path: Path | None) -> str | None:
    if path is None:
        return os.environ.get("COMMONGROUND_PASSWORD")
    password = read_text(path).strip("\r\n")
    if not password:
        raise InputError(f"{path}: is empty")
    return password
