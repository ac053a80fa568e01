"""Progress bars on a terminal: one for a command, and below the bar of a run those of its commands.

Nothing is drawn where stderr is no terminal.  The commands of a run are quiet but draw their bars:
`within_run` turns that on for one process.  Lines that are written to stderr go above the bars.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from campanula.stages.kernels import kernel_cache

T = TypeVar("T")

_drawing: int | None = None
"""Id of the process that draws the bar of a run, None outside runs; processes forked from it draw
none."""


def on_terminal() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def shape() -> dict[str, Any]:
    """Return the settings of tqdm for the size of stderr.

    A terminal that reports a size of 0, as in some containers, is taken for 80 x 24.
    """
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):  # no file, or no terminal
        return {"dynamic_ncols": True}
    if size.columns and size.lines:
        return {"dynamic_ncols": True}
    return {"ncols": 80, "nrows": 24}


@contextmanager
def within_run() -> Iterator[None]:
    """Let the commands that this process runs within the block draw bars, although quiet."""
    global _drawing
    before = _drawing, kernel_cache.say
    _drawing = os.getpid()
    kernel_cache.say = _say_of_kernels
    try:
        yield
    finally:
        _drawing, kernel_cache.say = before


def _say_of_kernels(message: str) -> None:
    """Write a message of the kernels above the bars; the kernels know no bars."""
    if not kernel_cache.quiet and not os.environ.get("CAMPANULA_QUIET"):
        complain(message)


def is_within_run() -> bool:
    """Whether this process draws the bar of a run."""
    return _drawing == os.getpid()


def complain(message: str) -> None:
    """Write one line to stderr, if there is one; above the bars, if there are any."""
    if sys.stderr is None:  # print would take stdout then
        return
    if is_within_run():
        from tqdm import tqdm

        tqdm.write(message, file=sys.stderr)
    else:
        print(message, file=sys.stderr)


@contextmanager
def lines_apart() -> Iterator[None]:
    """Clear the bars of a run while the block writes lines to stdout."""
    if not is_within_run():
        yield
        return
    from tqdm import tqdm

    with tqdm.external_write_mode():
        yield


def bar(
    items: Iterable[T],
    quiet: bool,
    label: str,
    total: int | None = None,
    unit: str = "sentences",
) -> Iterator[T]:
    """Yield the items behind a progress bar, which is drawn on a terminal only.

    The bar shows `total`, or the attribute `total` of the items; for a collection also the
    attribute `place`, which names the shard that is being read.
    """
    if not on_terminal() or (quiet and not is_within_run()):
        yield from items
        return
    from tqdm import tqdm

    total = getattr(items, "total", None) if total is None else total
    with tqdm(desc=label, total=total, unit=f" {unit}", leave=False, **shape()) as shown:
        for item in items:
            shown.set_postfix_str(getattr(items, "place", ""), refresh=False)
            shown.update()
            yield item
