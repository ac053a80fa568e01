"""Names of the files that a run puts in its folder; no folder may stand in their place.

history.jsonl, replicates.jsonl, ...    files with names of their own
NAME.out, NAME.1.out, NAME.compare      of data sets
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from campanula.formats.files import Output

HISTORY, REPLICATES = "history.jsonl", "replicates.jsonl"
WEIGHTS, INITIAL, CURVE = "weights", "initial", "curve.png"
REPORT = "report.html"
INVENTORY = "features"  # a link


def outputs(names: Iterable[str]) -> set[str]:
    """Names of the translations of data sets."""
    return {f"{name}.out" for name in names}


def refuse_folders(folder: str, made: Iterable[str]) -> None:
    """Raise DataError for a folder that stands where a run is to put a file.

    made: paths of the run's files relative to `folder`.
    """
    for name in sorted(made):
        path = os.path.join(folder, name)
        # this link leads to a folder, and is replaced as a link
        is_link = name == INVENTORY and os.path.islink(path)
        if os.path.isdir(path) and not is_link:
            Output.check(path)
