"""Reference translations: one text per set of references, line i is that of sentence i.

A text is a file, or a folder of files (parts.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.records.texts import Texts
from campanula.formats.text.parts import Text, refuse_other_parts


@dataclass(frozen=True, slots=True, repr=False)
class References:
    """References of all sentences, `n_refs` each: reference r of sentence i is text i n_refs + r.

    `names` (n_refs,) are the files or folders they came from; first (n_files,) the sentences with
    which the files of a folder begin, empty where there is none.
    """

    text: Texts
    names: tuple[str, ...]
    first: tuple[int, ...] = ()

    @property
    def n_refs(self) -> int:
        """References of each sentence."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<references of {len(self)} sentences: {', '.join(self.names)}>"

    def __len__(self) -> int:
        return len(self.text) // self.n_refs

    def texts(self, sid: int) -> Texts:
        """References (n_refs,) of one sentence, which share their bytes with all others.

        Raises DataError for a sentence that has none.
        """
        if sid >= len(self):
            problem = f"expected a line of sentence {sid}, found the end after {len(self)} lines"
            raise DataError(self.names[0], None, problem)
        pointer = self.text.pointer
        return Texts(self.text.blob, pointer[sid * self.n_refs : (sid + 1) * self.n_refs + 1])

    @classmethod
    def of(cls, *sets: Sequence[str]) -> References:
        """References in memory, one set or more: text i of a set is that of sentence i."""
        if not sets or any(isinstance(lines, str) for lines in sets):
            raise ValueError("expected a list of texts, a text a sentence, for each reference")
        names = tuple(f"references {number}" for number in range(1, len(sets) + 1))
        return cls._joined(names, sets)

    @classmethod
    def read(cls, paths: Sequence[str]) -> References:
        """Read one text or more; raises DataError when their numbers of lines differ."""
        texts = [Text(path) for path in paths]
        joined = cls._joined(tuple(text.name for text in texts), [list(text) for text in texts])
        in_parts = [text for text in texts if text.in_parts]
        for text in in_parts:
            refuse_other_parts(text, in_parts[0])
        return replace(joined, first=tuple(in_parts[0].first)) if in_parts else joined

    def refuse_other_shards(self, spans: Sequence[tuple[int, int]], lists: str) -> None:
        """Raise DataError unless each file has the references of one shard.

        spans are first and last sentence of every shard of `lists`; references in one file go with
        any.
        """
        if not self.first:
            return
        if len(spans) != len(self.first):
            expected = f"expected {len(spans)} files, as {lists} has shards"
            raise DataError(self.names[0], None, f"{expected}, found {len(self.first)}")
        ends = (*self.first[1:], len(self))
        for number, (first, last) in enumerate(spans):
            if not self.first[number] <= first <= last < ends[number]:
                expected = f"expected sentences {first} to {last}, as {lists} has in shard {number}"
                found = f"found {self.first[number]} to {ends[number] - 1}"
                raise DataError(self.names[0], f"file {number}", f"{expected}, {found}")

    @classmethod
    def _joined(cls, names: tuple[str, ...], sets: Sequence[Sequence[str]]) -> References:
        for name, lines in zip(names, sets, strict=True):
            if len(lines) != len(sets[0]):
                problem = f"expected {len(sets[0])} lines, as {names[0]} has, found {len(lines)}"
                raise DataError(name, None, problem)
        return cls(Texts.of(line for lines in zip(*sets, strict=True) for line in lines), names)

    def digest(self) -> str:
        """Checksum of the texts, as 16 hexadecimal digits."""
        summed = xxhash.xxh3_64(self.text.blob)
        summed.update(self.text.pointer.astype("<i8").tobytes())
        summed.update(self.n_refs.to_bytes(8, "little"))
        return summed.hexdigest()
