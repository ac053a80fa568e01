"""Pages of lines as bytes: line by line as long as there are few, by kernels and in threads beyond.

The kernels take as long to load as a hundred thousand numbers to be written one by one, and small
lists should not wait for them.  The bytes are the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.pointers import lengths_of, pointer_of
from campanula.formats.arrays.types import Bytes, Floats
from campanula.formats.files import is_file
from campanula.formats.nbest.pages import FeatureRows, LabelBytes, Page, lines
from campanula.formats.records.features import Features
from campanula.formats.records.texts import Texts
from campanula.stages.parallel.forks import Buffer
from campanula.stages.parallel.threads import in_threads

if TYPE_CHECKING:
    from campanula.stages.kernels.text.pages import Entries, PageColumns, Speller, Strings

FEW = 100_000  # parts of lines that are written without kernels
LARGE = 1 << 23  # bytes of a stream that the kernels write from the first list on
SMALL = 200  # parts of a page that a kernel's call takes longer for than Python


def parts_without_kernels(path: str) -> int:
    """Return the number of parts to write without kernels: 0 for a file known to be large."""
    return 0 if is_file(path) and os.path.getsize(path) > LARGE else FEW


def typeset(pages: Iterable[Page], jobs: int = 1, few: int = FEW) -> Iterator[Buffer]:
    """Yield the bytes of every page, in order.

    The first pages, of up to `few` parts, are written line by line, all others by kernels in `jobs`
    threads.
    """
    pages = iter(pages)  # both loops take from the same pages
    parts = 0
    for page in pages if few else ():
        yield by_lines(page)
        # parts, not lines: loading the kernels is weighed against what Python has to write
        parts += page.size * len(page.parts)
        if parts > few:
            break
    yield from in_threads(by_kernels, pages, jobs)


def by_lines(page: Page) -> bytes:
    """Return the bytes of a page, written line by line in Python."""
    return "".join(f"{line}\n" for line in lines(page)).encode("utf-8")


def by_kernels(page: Page) -> memoryview:
    """Return the same bytes, written by a kernel; several threads may write at once."""
    from campanula.stages.kernels.text import pages as kernel

    # preparing arrays for the kernel would take longer
    if page.size * len(page.parts) < SMALL:
        return memoryview(by_lines(page))
    rows = next((part for part in page.parts if isinstance(part, FeatureRows)), NO_ROWS)
    columns = columns_of(page)
    entries, labels = entries_of(rows)
    out = np.empty(most_bytes(page, columns, rows), np.uint8)
    size = kernel.write_page(out, page.size, columns, entries, labels, speller())
    return out[:size].data


def speller() -> Speller:
    """Return the kernel's speller of numbers, with an empty table of spellings."""
    from campanula.stages.kernels.text.pages import NO_NUMBER, SLOTS, Speller
    from campanula.stages.kernels.text.powers import UP, powers
    from campanula.stages.kernels.text.spelling import LONGEST

    return Speller(
        powers(UP),
        np.full(SLOTS, NO_NUMBER),
        np.empty(SLOTS, np.int64),
        np.empty(SLOTS * LONGEST, np.uint8),
    )


def columns_of(page: Page) -> PageColumns:
    """Return the columns of a page as kernels take them, without its rows of sparse features.

    The program (n_parts, 2) says, part by part, of which kind it is and its number in this kind.
    """
    from campanula.stages.kernels.text.pages import (
        FIXED,
        NUMBER,
        ROWS,
        ROWS_BEHIND,
        TEXT,
        PageColumns,
        Strings,
    )

    fixed: list[bytes] = []
    texts: list[Texts] = []
    numbers: list[Floats] = []
    program: list[tuple[int, int]] = []
    for part in page.parts:
        if isinstance(part, bytes):
            program.append((FIXED, len(fixed)))
            fixed.append(part)
        elif isinstance(part, Texts):
            program.append((TEXT, len(texts)))
            texts.append(part)
        elif isinstance(part, FeatureRows):
            program.append((ROWS_BEHIND if part.behind else ROWS, 0))
        else:
            program.append((NUMBER, len(numbers)))
            numbers.append(part)
    # numbers as their bits: equal numbers are found by comparing integers, and -0.0 is not 0.0
    bits = np.array(numbers, np.float64).reshape(len(numbers), page.size).view(np.int64)
    return PageColumns(
        np.array(program, np.int64),
        Strings(_bytes(b"".join(fixed)), _fixed(pointer_of([len(text) for text in fixed]))),
        _stacked(texts),
        bits,
    )


def _stacked(texts: list[Texts]) -> Strings:
    """Return the columns of texts of a page, one behind the other."""
    from campanula.stages.kernels.text.pages import Strings

    if len(texts) == 1:
        return Strings(_bytes(texts[0].blob), _fixed(texts[0].pointer))
    shift = pointer_of([len(text.blob) for text in texts])
    pointers = [text.pointer + first for text, first in zip(texts, shift, strict=False)]
    pointer = np.concatenate([np.zeros(0, np.int64), *pointers])
    return Strings(_bytes(b"".join(text.blob for text in texts)), _fixed(pointer))


def _bytes(text: bytes) -> Bytes:
    return np.frombuffer(text, np.uint8)


NO_ROWS = FeatureRows(
    Features.of_dense(np.zeros(0, np.int32), np.zeros((0, 0))),
    LabelBytes(np.zeros(0, np.uint8), np.zeros(1, np.int64)),
    behind=False,
)


def entries_of(rows: FeatureRows) -> tuple[Entries, Strings]:
    """Return the sparse and binary features of a page as kernels take them, and their labels."""
    from campanula.stages.kernels.text.pages import Entries, Strings

    features = rows.features
    entries = (
        features.sparse_pointer,
        features.sparse_id,
        features.sparse_value.view(np.int64),
        features.binary_pointer,
        features.binary_id,
    )
    return Entries(*map(_fixed, entries)), Strings(*map(_fixed, rows.labels))


def _fixed(array: Any) -> Any:
    """Return a view that cannot be written to.

    Arrays that can and cannot be written are two types to Numba; kernels are compiled for one.
    """
    view = array.view()
    view.flags.writeable = False
    return view


def most_bytes(page: Page, columns: PageColumns, rows: FeatureRows) -> int:
    """Return an upper bound of the bytes of a page, for the kernel's output array.

    A number has at most LONGEST bytes, and an entry a label, a number and a blank.
    """
    from campanula.stages.kernels.text.spelling import LONGEST

    size = page.size * len(columns.fixed.byte) + len(columns.text.byte)
    size += columns.bits.size * LONGEST
    length = lengths_of(rows.labels.pointer)
    for ids in (rows.features.sparse_id, rows.features.binary_id):
        size += int(length[ids].sum()) + len(ids) * (LONGEST + 1)
    # the kernel spells into the array itself and may go beyond a number's end, by its longest form
    return size + LONGEST
