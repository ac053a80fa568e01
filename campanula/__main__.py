"""`python -m campanula COMMAND ...`."""

from campanula.cli import main

raise SystemExit(main())
