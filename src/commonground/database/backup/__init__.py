"""Back up the database of a running server into one file, and restore it."""

from commonground.database.backup.archive import Manifest
from commonground.database.backup.run import back_up, check_backup, restore

__all__ = ["Manifest", "back_up", "check_backup", "restore"]
