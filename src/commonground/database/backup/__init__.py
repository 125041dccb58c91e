"""Back up the database of a running server into one file, and restore it."""

from commonground.database.backup.archive import NOT_DATA, Manifest
from commonground.database.backup.run import back_up, check_backup, restore

__all__ = ["NOT_DATA", "Manifest", "back_up", "check_backup", "restore"]
