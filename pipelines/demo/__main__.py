"""`python -m campanula.pipelines.demo`: the demo."""

from __future__ import annotations

import sys

from campanula.pipelines.demo.demo import main

if __name__ == "__main__":
    sys.exit(main())
