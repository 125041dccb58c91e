"""Migrations, run by `open_database`: one file each in `versions`, numbered."""
