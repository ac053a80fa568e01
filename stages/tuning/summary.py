"""The objective of every iteration, as JSON beside the weights.

    {"objective": -1.2, "history": [-1.5, -1.4, -1.2], "reason": "..."}

history[-1 - i] is the objective i iterations before the last; some solvers also have the objective
at the start.  `more` are other columns of the same length.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from campanula.formats.files import Output


@contextmanager
def summarised(
    path: str | None, history: Sequence[float], reason: str, **more: Sequence[float]
) -> Iterator[None]:
    """Write a summary to a path, if there is one; it appears when the with-block succeeds.

    An exception in the block leaves no summary, and a summary that cannot be written stops before
    the block.
    """
    if path is None:
        yield
        return
    values = {"objective": history[-1], "history": list(history), "reason": reason}
    values |= {name: list(column) for name, column in more.items()}
    with Output(path) as out:
        out.write_line(json.dumps(values))
        out.finish()
        yield
