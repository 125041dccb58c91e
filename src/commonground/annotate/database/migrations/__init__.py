"""Migrations, run by `open_database`: one numbered file each in `versions`."""
