"""An inventory of many names: speed and memory of making it, bytes on disk, speed of look-ups.

    CAMPANULA_NAMES=45000000 python -m benchmarks.bench_inventory [--folder D]

Names are synthetic, in the shape of Tillmann and Zhang's features: templates over words whose
frequencies follow Zipf's law, so that most names are met again and again.  Prints a table: names
found or added a second, peak memory (anonymous, and with all that is mapped), bytes on disk a name
beside the text, time to open it, to look names up, to check a reference, and to add a few.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.resident import resident
from campanula.formats.arrays.pointers import expand, pointer_of
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.texts import Texts
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup

NAMES = int(os.environ.get("CAMPANULA_NAMES", "45000"))
BATCH = 50_000  # names of a few hundred sentences
WORDS = 200_000
GB = 1 << 30  # of memory
T = TypeVar("T")
TEMPLATES = (  # what a name begins with, and what stands between its words
    ("pair_", "~~"),
    ("tri_", "~~"),
    ("ttri_", "~~~"),
    ("block_", "~~~~~"),
    ("back_L_", "~~~~"),
    ("tph_", "~~~"),
)


class Synthetic:
    """Blobs of synthetic names."""

    def __init__(self, seed: int = 1) -> None:
        self._rng = np.random.default_rng(seed)
        letters = self._rng.integers(97, 123, (WORDS, 12)).astype(np.uint8)
        length = self._rng.integers(2, 12, WORDS)
        words = [row[:n].tobytes().decode() for row, n in zip(letters, length, strict=True)]
        marks = [text for prefix, marks in TEMPLATES for text in (prefix, marks)]
        pieces = Texts.of([*words, *marks, "~"])
        self._text = np.frombuffer(pieces.blob, np.uint8)
        self._start, self._length = pieces.pointer[:-1], np.diff(pieces.pointer)

    def batch(self, n: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Names (n,) as a blob and its pointers, some of them equal."""
        template = self._rng.integers(0, len(TEMPLATES), n)
        n_words = np.array([len(marks) for _, marks in TEMPLATES])[template]
        # a prefix, then words with marks between: 2 n_words pieces
        pointer = pointer_of(2 * n_words)
        # Zipf's law: rank r with probability in proportion to 1/r
        rank = np.exp(self._rng.random(int(pointer[-1])) * np.log(WORDS)).astype(np.int64)
        piece = np.minimum(rank, WORDS - 1)
        place = np.arange(len(piece)) - np.repeat(pointer[:-1], 2 * n_words)
        piece[place % 2 == 0] = WORDS + 2 * len(TEMPLATES)  # `~`
        piece[pointer[:-1]] = WORDS + 2 * template
        length = self._length[piece]
        _, source = expand(self._start[piece], length)
        return self._text[source], pointer_of(np.add.reduceat(length, pointer[:-1]))


class Making:
    """Seconds and memory that making an inventory took, and the names looked up meanwhile."""

    def __init__(self) -> None:
        self.asked = 0
        self.seconds = 0.0
        self.anonymous = 0  # bytes, the most that was seen

    def grow(self, path: str, n: int, names: Synthetic, new: bool) -> None:
        """Add names until there are n."""
        with Growing(path, new) as growing:
            while len(growing) < n:
                # a small inventory, too, grows in some twenty steps
                text, pointer = names.batch(min(BATCH, 1 + n // 20))
                start = time.perf_counter()
                ids = growing.ids(text, pointer)
                growing.see(np.unique(ids))
                self.seconds += time.perf_counter() - start
                self.asked += len(ids)
                self.anonymous = max(self.anonymous, resident())
            start = time.perf_counter()
            growing.commit()
            self.seconds += time.perf_counter() - start
            self.anonymous = max(self.anonymous, resident())


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds that a function takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main() -> None:
    """Make one, open it, look names up, extend it; print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="where the inventory is made (default: temporary)")
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory(dir=folder) as place:
        print("\n".join(rows(os.path.join(place, "inventory"))))


def rows(path: str) -> Iterator[str]:
    """Yield the lines of the table."""
    names = Synthetic()
    making = Making()
    start = resident()
    making.grow(path, NAMES, names, new=True)
    total = resident("VmHWM")
    opening, inventory = timed(lambda: Inventory.open(path))
    size = sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))
    n, text = len(inventory), inventory.manifest.text
    yield f"names                         {n:,}, {text / n:.1f} bytes of text each"
    yield f"asked for                     {making.asked:,} ({making.asked / n:.1f} a name)"
    yield f"made in                       {making.seconds:.1f} s, {n / making.seconds:,.0f} new a s"
    yield f"anonymous memory              {making.anonymous / GB:.2f} GB, {start / GB:.2f} before"
    yield f"peak of all memory            {total / GB:.2f} GB, mapped files included"
    yield f"on disk                       {size / 1e9:.2f} GB"
    yield f"beside the text               {(size - text) / n:.1f} bytes a name"
    yield f"opened in                     {1e3 * opening:.1f} ms"
    digest, _ = timed(lambda: inventory.digest(n // 2 + 1))
    yield f"digest of half of it          {1e3 * digest:.1f} ms"
    blob, pointer = names.batch(min(1_000_000, n))
    lookup = Lookup(inventory)
    # which compiles the look-up
    lookup.ids(blob[: int(pointer[10])], pointer[:11])
    seconds, ids = timed(lambda: lookup.ids(blob, pointer))
    share = np.count_nonzero(ids >= 0) / len(pointer)
    speed = len(pointer) / seconds
    yield f"looked up                     {speed:,.0f} a s, {share:.0%} of them there"
    extending, _ = timed(lambda: making.grow(path, n + 1000, names, new=False))
    yield f"1,000 names added in          {extending:.2f} s"


if __name__ == "__main__":
    main()
