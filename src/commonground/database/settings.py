"""Settings that all servers on one database share."""

from collections.abc import Callable

from sqlalchemy.exc import IntegrityError

from commonground.database.engine import Database
from commonground.database.tables import SettingRow


def shared_setting(database: Database, name: str, make: Callable[[], str]) -> str:
    """Return a setting; the first server to ask makes it."""
    with database.reading() as session:
        row = session.get(SettingRow, name)
    if row is not None:
        return row.value
    try:
        with database.writing() as session:
            row = session.get(SettingRow, name) or SettingRow(name=name, value=make())
            session.add(row)
        return row.value
    except IntegrityError:  # another server was faster
        return shared_setting(database, name, make)
