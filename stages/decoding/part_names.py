"""Names that a part of a text adds to an inventory, by numbers of its own, and what it counts.

A worker makes them, and the lists with these numbers; the process that all parts come together in
gives the names their ids, in the order of the parts.  A result of a worker is one file: arrays and
lists, as members of an archive without compression.
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
    """Names of a part that its inventory lacks, in the order in which they are met.

    Name k is text[pointer[k]:pointer[k + 1]], with a weight weight[k], and was seen in seen[k] of
    its sentences; known (m,) are ids that the inventory has, seen in known_seen (m,) of them.
    highest is the highest id among its lists that the inventory has, -1 for none.
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
        """Write them with the stream of the part's lists."""
        with open(output, "wb") as file:
            np.savez(file, **self._asdict())
        member = zipfile.ZipInfo(LISTS)  # without a time, so that the same makes the same bytes
        with (
            zipfile.ZipFile(output, "a") as archive,
            archive.open(member, "w", force_zip64=True) as place,
            open(lists, "rb") as stream,
        ):
            shutil.copyfileobj(stream, place)

    @classmethod
    def read(cls, path: str) -> Self:
        """What `write` has written, without the lists."""
        with np.load(path, allow_pickle=False) as arrays:
            found = [arrays[name] for name in cls._fields]
        return cls(*found[:-2], *(int(number) for number in found[-2:]))


def unpacked_lists(path: str, folder: str) -> str:
    """Put the stream of lists of a result into a folder; its path."""
    with zipfile.ZipFile(path) as archive:
        return archive.extract(LISTS, folder)
