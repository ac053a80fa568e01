"""Names that a part of a text adds to an inventory, with its own numbers, and its counts.

A worker makes them, and lists with these numbers; the main process gives the names their ids, in
the order of the parts.  A worker's result is one file: an archive without compression, whose
members are the arrays and the lists.
"""

from __future__ import annotations

import shutil
import zipfile
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints

LISTS = "lists.kbest"


class PartNames(NamedTuple):
    """Names of a part that its inventory lacks, in the order in which they come first.

    Name k is text[pointer[k]:pointer[k + 1]], has the weight weight[k], and is in seen[k] of the
    part's sentences; known (m,): ids of the inventory; known_seen (m,): in how many sentences they
    are; highest: the highest id of the inventory in the lists, -1 for none.
    """

    text: Bytes
    pointer: Ints
    weight: Floats
    seen: NDArray[np.uint32]
    known: Ids
    known_seen: Ints
    sentences: int
    highest: int

    def __len__(self) -> int:
        return len(self.pointer) - 1

    def write(self, output: str, lists: str) -> None:
        """Write the names and the stream `lists` of the part's lists to the archive `output`."""
        with open(output, "wb") as file:
            np.savez(file, **self._asdict())
        member = zipfile.ZipInfo(LISTS)  # without a time, so that equal contents are equal bytes
        with (
            zipfile.ZipFile(output, "a") as archive,
            archive.open(member, "w", force_zip64=True) as target,
            open(lists, "rb") as stream,
        ):
            shutil.copyfileobj(stream, target)

    @classmethod
    def read(cls, path: str) -> Self:
        """Read the names of an archive that `write` has made."""
        with np.load(path, allow_pickle=False) as arrays:
            values = [arrays[name] for name in cls._fields]
        return cls(*values[:-2], *(int(number) for number in values[-2:]))


def unpacked_lists(path: str, folder: str) -> str:
    """Extract the stream of lists from an archive to a folder; return its path."""
    with zipfile.ZipFile(path) as archive:
        return archive.extract(LISTS, folder)
