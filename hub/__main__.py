"""`python -m hub` is `parley`."""

from hub.cli import main

main()
