"""The command line: `commonground score`, `commonground models` and their neighbours."""

from commonground.cli._run import main, run

__all__ = ["main", "run"]
