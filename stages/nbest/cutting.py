"""Blocks of n-best lists that are cut into fields by kernels, and in threads.

The first blocks are left to NumPy: until a few megabytes are read the kernels would take longer to
load than they save.  Threads cut a block by the layout of the block before, while that is still
being read; a block with another layout is cut anew.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ints
from campanula.formats.files import is_file
from campanula.formats.nbest.blocks import SHORT, Block, count_lines, small
from campanula.formats.nbest.fields import Cut, Layout
from campanula.formats.nbest.places import TEXT
from campanula.formats.nbest.uniform import natural
from campanula.formats.records.texts import Texts
from campanula.stages.parallel.threads import AHEAD

if TYPE_CHECKING:
    from campanula.stages.kernels.text.fields import LinePlan, Lines

FEW = SHORT  # bytes that are read without kernels
LARGE = 4 * FEW  # bytes of files for which the kernels are worth their loading from the first on


def are_large(paths: Iterable[str]) -> bool:
    """Whether paths are known to be of large files."""
    return sum(os.path.getsize(path) for path in paths if is_file(path)) > LARGE


def bytes_without_kernels(paths: Iterable[str]) -> int:
    """Return the number of bytes to read without kernels: 0 for files known to be large."""
    return 0 if are_large(paths) else FEW


def cut_ahead(blocks: Iterable[Block], jobs: int = 1, few: int = FEW) -> Iterator[Block]:
    """Yield blocks with the same lines; behind the first `few` bytes each has a kernel's cutter.

    With several jobs so many threads cut blocks before they are asked for.
    """
    blocks = iter(blocks)
    size = 0
    for block in blocks:
        yield block
        size += len(block.data)
        if size > few:
            break
    last = LastLayout()
    fitting = sized(blocks, last)
    if jobs == 1:
        for block in fitting:
            yield block._replace(cutter=Cutting(block, last).cut)
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[tuple[Block, Cutting]] = deque()
        try:
            for block in fitting:
                waiting.append((block, Cutting(block, last, pool)))
                # the first block shows the layout by which threads cut the others
                if len(waiting) >= AHEAD * jobs or last.layout is None:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        finally:
            for _, cutting in waiting:
                cutting.cancel()


def _next(waiting: deque[tuple[Block, Cutting]]) -> Block:
    block, cutting = waiting.popleft()
    return block._replace(cutter=cutting.cut)


class LastLayout:
    """The layout of the block that was cut last, and whether the kernel could cut it."""

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self.is_cut = True


def sized(blocks: Iterable[Block], last: LastLayout) -> Iterator[Block]:
    """Yield the blocks; behind one that the kernel could not cut they are divided into small ones.

    NumPy reads such lines, in less memory if a block is small.
    """
    for block in blocks:
        if last.is_cut:
            yield block
        else:
            yield from small(block)


class Cutting:
    """Cuts a block into fields; a pool's thread begins at once, by the layout of the last block."""

    def __init__(
        self, block: Block, last: LastLayout, pool: ThreadPoolExecutor | None = None
    ) -> None:
        self._data = block.data
        self._n_lines = block.n_lines
        self._last = last
        self._guess = last.layout
        self._ahead: Future[Cut | None] | None = None
        if pool is not None and self._guess is not None:
            self._ahead = pool.submit(cut_by_kernel, self._data, self._guess, self._n_lines)

    def cut(self, layout: Layout) -> Cut | None:
        """Return the fields of lines with this layout, None if the kernel cannot read them."""
        self._last.layout = layout
        if self._ahead is not None and layout == self._guess:
            fields = self._ahead.result()
        else:
            fields = cut_by_kernel(self._data, layout, self._n_lines)
        self._last.is_cut = fields is not None
        return fields

    def cancel(self) -> None:
        """Cancel the thread's work if it has not begun."""
        if self._ahead is not None:
            self._ahead.cancel()


def cut_by_kernel(data: bytes, layout: Layout, n_lines: int | None = None) -> Cut | None:
    """Return the fields of whole lines, None for lines that must be read in another way.

    None, too, for a piece of a long line, which readers refuse.  n_lines: how many lines there are,
    where they have been counted.
    """
    from campanula.stages.kernels.text import fields as kernel

    plan = plan_of(layout)
    if plan is None or not data.endswith(b"\n"):
        return None
    n = count_lines(data) if n_lines is None else n_lines
    places = (TEXT, *layout.others)
    sid = np.empty(n, np.int64)
    start, end = np.empty((2, len(places), n), np.int64)
    score = np.empty(n)
    value = np.empty((len(plan.row), n))
    lines = kernel.Lines(sid, start, end, score.view(np.int64), value.view(np.int64))
    if not _are_read(data, plan, lines):
        return None
    texts = map(_gathered, itertools.repeat(np.frombuffer(data, np.uint8)), start, end)
    by_place = dict(zip(sorted(places), texts, strict=True))
    text = by_place.pop(TEXT)
    return Cut(sid, text, None if layout.score is None else score, by_place, value)


def _are_read(data: bytes, plan: LinePlan, lines: Lines) -> bool:
    """Read all lines into the arrays of `lines`; return whether they are as planned.

    The kernel reads up to MARGIN bytes beyond a line.  The last line is the margin of those before
    it, and is itself read from a copy with a margin.
    """
    from campanula.stages.kernels.text.fields import MARGIN, read_lines
    from campanula.stages.kernels.text.powers import DOWN, powers

    n = len(lines.sid)
    last = data.rfind(b"\n", 0, -1) + 1
    if len(data) - last < MARGIN:
        return False
    byte = np.frombuffer(data, np.uint8)
    power = powers(DOWN)
    tail = np.frombuffer(data[last:] + bytes(MARGIN), np.uint8)
    head_is_read = n == 1 or read_lines(byte, plan, lines, 0, n - 1, 0, power) == last
    size = len(tail) - MARGIN
    return head_is_read and read_lines(tail, plan, lines, n - 1, n, last, power) == size


def _gathered(byte: Bytes, start: Ints, end: Ints) -> Texts:
    """Return the texts byte[start[i]:end[i]] (n,)."""
    from campanula.stages.kernels.text.fields import MARGIN, gather

    pointer = pointer_of(end - start)
    out = np.empty(int(pointer[-1]) + MARGIN, np.uint8)
    gather(byte, start, end, out)
    return Texts(out[: pointer[-1]].tobytes(), pointer)


def plan_of(layout: Layout) -> LinePlan | None:
    """Return the plan of a layout; None for labels that are no tokens of their own."""
    from campanula.stages.kernels.text import fields as kernel

    kind = np.full(layout.size, kernel.WORDS)
    kind[0] = kernel.ID
    kind[layout.features] = kernel.FEATURES
    if layout.score is not None:
        kind[layout.score] = kernel.SCORE
    token: list[int] = []
    labels: list[bytes] = []
    for label, width in layout.widths:
        if label is not None:
            if not label or layout.mark in label or min(label) <= " ":
                return None
            token.append(len(labels))
            labels.append(label.encode("utf-8"))
        token += [kernel.NUMBER] * width
    return kernel.LinePlan(
        kind,
        np.array(token, np.int64),
        np.frombuffer(b"".join(labels), np.uint8),
        pointer_of([len(label) for label in labels]),
        np.argsort(natural(layout)),
        ord(layout.mark),
    )
