"""`python -m commonground` is `commonground`."""

from commonground.cli import main

main()
