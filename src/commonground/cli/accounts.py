"""`commonground accounts`: people who log in to the pages, also when nobody can log in any more."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from commonground.cli.options import JsonOption
from commonground.cli.served_data import DatabaseOption, DataOption, served_data
from commonground.cli.terminal import print_json, print_table
from commonground.errors import InputError

if TYPE_CHECKING:
    from commonground.database import Account, Database

app = typer.Typer()

AddressOption = Annotated[
    str,
    typer.Option(help="Address of the server, such as https://study.example.org, for the link."),
]
NameArgument = Annotated[str, typer.Argument(help="Login name.", show_default=False)]

_ACTOR = "command line"


@app.command("list")
def list_people(
    data: DataOption = None, database: DatabaseOption = None, as_json: JsonOption = False
) -> None:
    """List accounts with their role and state."""
    from commonground.database import list_accounts

    with _opened(data, database) as opened:
        accounts = list_accounts(opened)
    rows: list[dict[str, Any]] = [
        {"id": one.id, "name": one.name, "role": one.role, "state": one.state} for one in accounts
    ]
    if as_json:
        print_json({"accounts": rows})
        return
    table = Table("id", "name", "role", "state")
    for row in rows:
        table.add_row(*map(str, row.values()))
    print_table(table)


@app.command()
def add(
    name: NameArgument,
    admin: Annotated[bool, typer.Option("--admin", help="Make an administrator.")] = False,
    address: AddressOption = "",
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Add a person and print the link by which they choose a password."""
    from commonground.database import add_account, record

    role: Any = "administrator" if admin else "member"
    with _opened(data, database) as opened:
        token, account = add_account(opened, name, role)
        record(opened, _ACTOR, f"{role} invited", f"account {account.id}")
    typer.echo(_link(address, token))


@app.command("reset-password")
def reset_password(
    name: NameArgument,
    address: AddressOption = "",
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Print a link by which a person chooses a new password."""
    from commonground.database import new_link, record

    with _opened(data, database) as opened:
        account = _known(opened, name)
        token = new_link(opened, account.id)
        record(opened, _ACTOR, "password link made", f"account {account.id}")
    typer.echo(_link(address, token))


@app.command()
def disable(name: NameArgument, data: DataOption = None, database: DatabaseOption = None) -> None:
    """Disable an account and end its sessions; projects and results are kept."""
    _set_disabled(name, data, database, disabled=True)


@app.command()
def enable(name: NameArgument, data: DataOption = None, database: DatabaseOption = None) -> None:
    """Enable a disabled account again."""
    _set_disabled(name, data, database, disabled=False)


@app.command()
def role(
    name: NameArgument,
    new: Annotated[str, typer.Argument(help="Role: administrator or member.", show_default=False)],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Change the role of a person."""
    from commonground.database import record, set_role

    wanted: Any = new
    with _opened(data, database) as opened:
        account = _known(opened, name)
        set_role(opened, account.id, wanted)
        record(opened, _ACTOR, f"role changed to {new}", f"account {account.id}")


@app.command()
def log(data: DataOption = None, database: DatabaseOption = None) -> None:
    """Print the audit log as JSONL, newest first."""
    import json

    from commonground.database import all_audit_entries

    with _opened(data, database) as opened:
        for entry in all_audit_entries(opened):
            typer.echo(json.dumps(entry.to_dict()))


def _set_disabled(name: str, data: Path | None, url: str | None, *, disabled: bool) -> None:
    from commonground.database import record, set_disabled

    with _opened(data, url) as opened:
        account = _known(opened, name)
        set_disabled(opened, account.id, disabled=disabled)
        action = "account disabled" if disabled else "account enabled"
        record(opened, _ACTOR, action, f"account {account.id}")


@contextmanager
def _opened(data: Path | None, url: str | None) -> Iterator["Database"]:
    from commonground.database import open_database

    opened = open_database(served_data(data, url).database_url())
    try:
        yield opened
    finally:
        opened.close()


def _known(database: "Database", name: str) -> "Account":
    from commonground.database import checked_account_name, list_accounts

    wanted = checked_account_name(name)
    for account in list_accounts(database):
        if account.name == wanted:
            return account
    raise InputError(f"there is no account {wanted!r} (commonground accounts list shows all)")


def _link(address: str, token: str) -> str:
    """Return the link, or its path below the server's address if that is not known."""
    return f"{address.rstrip('/')}/join/{token}"
