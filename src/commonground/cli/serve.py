"""`commonground serve`: the web pages, on this machine."""

import os
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.served_data import DatabaseOption, DataOption, served_data
from commonground.cli.terminal import note
from commonground.errors import InputError
from commonground.io import read_text
from commonground.web import (
    PORT,
    Addresses,
    OidcSettings,
    default_workers,
    new_token,
)
from commonground.web import serve as serve_pages


def serve(
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on; any but localhost needs a password or --accounts."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Port to listen on; 0 picks a free one.", min=0, max=65535)
    ] = PORT,
    data: DataOption = None,
    database: DatabaseOption = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the password or its argon2 hash (default: the environment variable "
            "COMMONGROUND_PASSWORD)."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Worker processes (default: number of CPUs, at most 4).", min=1),
    ] = None,
    queue: Annotated[int, typer.Option(help="Maximum number of waiting jobs.", min=1)] = 32,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            help="Trust a local proxy that adds HTTPS; needs a password or --accounts.",
        ),
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Address or network of a proxy elsewhere that adds HTTPS, such as 172.28.0.0/24 "
            "(repeatable); needs a password or --accounts."
        ),
    ] = None,
    root_path: Annotated[
        str, typer.Option(help="Path below which a proxy serves the pages, such as /study.")
    ] = "",
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="Host name by which browsers reach the server, such as study.example.org "
            "(repeatable; default: addresses in numbers and this machine's own name)."
        ),
    ] = None,
    accounts: Annotated[
        bool,
        typer.Option(
            "--accounts",
            help="Each person logs in with an account; the first start prints a link for the first "
            "administrator.",
        ),
    ] = False,
    oidc_issuer: Annotated[
        str | None,
        typer.Option(help="Address of an OpenID provider where people with accounts log in."),
    ] = None,
    oidc_client: Annotated[
        str, typer.Option(help="Client id of this server at the OpenID provider.")
    ] = "",
    oidc_secret_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the client's secret (default: the environment variable "
            "COMMONGROUND_OIDC_SECRET)."
        ),
    ] = None,
    oidc_domain: Annotated[
        list[str] | None,
        typer.Option(
            help="E-mail domain whose people need no invitation (repeatable; default: none)."
        ),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option(
            "--no-token",
            help="Without a password, admit every user of this machine, with or without the "
            "printed link.",
        ),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
) -> None:
    """Compare, score, grade and annotate in a browser."""
    settings = replace(
        served_data(data, database),
        host=host,
        port=port,
        password=_password(password_file),
        workers=workers or default_workers(),
        queue=queue,
        behind_proxy=behind_proxy,
        trusted_proxies=tuple(trusted_proxy or ()),
        root_path="/".join(["", *filter(None, root_path.split("/"))]),
        names=tuple(map(str.lower, name or ())),
        token=None if no_token else new_token(),
        accounts=accounts,
        oidc=_provider(oidc_issuer, oidc_client, oidc_secret_file, oidc_domain or []),
    )

    def ready(addresses: Addresses) -> None:
        note(f"listening on {addresses.page} (Ctrl-C stops it)")
        if addresses.setup:
            note(f"create the first administrator: {addresses.setup}")
        if not no_browser:
            # In a thread, because a text browser would block the server.
            threading.Thread(target=webbrowser.open, args=(addresses.opened,), daemon=True).start()

    serve_pages(settings, ready)


def _provider(
    issuer: str | None, client: str, path: Path | None, domains: list[str]
) -> OidcSettings | None:
    if issuer is None:
        return None
    secret = os.environ.get("COMMONGROUND_OIDC_SECRET", "")
    if path is not None:
        secret = read_text(path).strip("\r\n")
    return OidcSettings(issuer.rstrip("/"), client, secret, tuple(map(str.lower, domains)))


def _password(path: Path | None) -> str | None:
    if path is None:
        return os.environ.get("COMMONGROUND_PASSWORD")
    password = read_text(path).strip("\r\n")
    if not password:
        raise InputError(f"{path}: is empty")
    return password
