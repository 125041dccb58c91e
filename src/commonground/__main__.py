"""Run the command line with `python -m commonground`."""

from commonground.cli import main

main()
