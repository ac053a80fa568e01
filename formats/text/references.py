"""Reference translations: one text file per set of references, line i is that of sentence i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, read_lines
from campanula.formats.records.texts import Texts


@dataclass(frozen=True, slots=True, repr=False)
class References:
    """References of all sentences, `n_refs` each: reference r of sentence i is text i n_refs + r.

    `names` (n_refs,) are the files they came from.
    """

    text: Texts
    names: tuple[str, ...]

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
        """Read one file or more; raises DataError when their numbers of lines differ."""
        names = tuple(display_name(path) for path in paths)
        return cls._joined(names, [list(read_lines(path)) for path in paths])

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
