"""Many short texts as one UTF-8 blob and the pointers into it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import overload

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.lines import check_utf8
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError, Record


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts (n,): text i is `blob[pointer[i]:pointer[i + 1]]`; pointer has shape (n + 1,).

    lengths: the packed lengths as they were read, to be written again unchanged; None unless they
    are surely as `pack_lengths` writes them.
    """

    blob: bytes
    pointer: Ints
    lengths: list[object] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Encode strings as UTF-8."""
        encoded = [text.encode("utf-8") for text in texts]
        return cls(b"".join(encoded), pointer_of([len(text) for text in encoded]))

    def __len__(self) -> int:
        return len(self.pointer) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return what a list of the texts would: a text, from the end too, or a list of them."""
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        return self.blob[self.pointer[places] : self.pointer[places + 1]].decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        bounds = self.pointer.tolist()
        for start, end in itertools.pairwise(bounds):
            yield self.blob[start:end].decode("utf-8")

    def take(self, index: Ints) -> Texts:
        """Return the texts at places `index`, in that order."""
        bounds = self.pointer
        texts = [self.blob[bounds[i] : bounds[i + 1]] for i in index.tolist()]
        return Texts(b"".join(texts), pointer_of([len(text) for text in texts]))

    def span(self, start: int, end: int) -> Texts:
        """Return the texts from place `start` to `end` - 1."""
        bounds = self.pointer[start : end + 1]
        first = int(bounds[0])
        return Texts(self.blob[first : int(bounds[-1])], bounds - first)

    def pack(self) -> list[object]:
        """Return the texts for msgpack: the blob and the lengths."""
        lengths = columns.pack_lengths(self.pointer) if self.lengths is None else self.lengths
        return [self.blob, lengths]

    @classmethod
    def unpack(cls, record: Record, key: str, size: int | None = None) -> Texts:
        """Return the texts under `key`, `size` of them if given.

        Raises ColumnError unless each text is valid UTF-8.
        """
        value = record.get(key)
        if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], bytes)):
            raise ColumnError(f"expected texts {key!r}, found {type(value).__name__}")
        blob, lengths = value
        pointer = columns.unpack_lengths({key: lengths}, key, size, len(blob))
        _check_utf8(blob, pointer, key)
        return cls(blob, pointer, lengths if columns.is_narrowest(lengths) else None)


def _check_utf8(blob: bytes, pointer: Ints, key: str) -> None:
    # nothing to check, and unlike decoding it makes no copy
    if blob.isascii():
        return
    try:
        check_utf8(blob)
    except UnicodeDecodeError as error:
        raise ColumnError(f"texts {key!r}: expected UTF-8, found {error.reason}") from error
    # the blob as a whole is UTF-8, so each text is if none begins at a continuation byte 10xxxxxx
    starts = pointer[:-1][pointer[:-1] < len(blob)]
    if ((np.frombuffer(blob, np.uint8)[starts] & 0xC0) == 0x80).any():
        raise ColumnError(f"texts {key!r}: a text starts inside a character")
