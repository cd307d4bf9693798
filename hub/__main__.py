"""`python -m hub` does the same as `parley`."""

from hub.cli import main

main()
