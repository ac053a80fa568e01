"""Reference translations: one text file per set of references, line i is that of sentence i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, read_lines
from campanula.formats.records.texts import Texts


@dataclass(frozen=True, slots=True)
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

    def __len__(self) -> int:
        return len(self.text) // self.n_refs

    def of(self, sid: int) -> list[str]:
        """References of one sentence."""
        return [self.text[sid * self.n_refs + r] for r in range(self.n_refs)]

    @classmethod
    def read(cls, paths: Sequence[str]) -> References:
        """Read one file or more; raises DataError when their numbers of lines differ."""
        names = tuple(display_name(path) for path in paths)
        files = [list(read_lines(path)) for path in paths]
        for name, lines in zip(names, files, strict=True):
            if len(lines) != len(files[0]):
                problem = f"expected {len(files[0])} lines, as {names[0]} has, found {len(lines)}"
                raise DataError(name, None, problem)
        return cls(Texts.of(line for lines in zip(*files, strict=True) for line in lines), names)

    def digest(self) -> str:
        """Checksum of the texts, as 16 hexadecimal digits."""
        summed = xxhash.xxh3_64(self.text.blob)
        summed.update(self.text.pointer.astype("<i8").tobytes())
        summed.update(self.n_refs.to_bytes(8, "little"))
        return summed.hexdigest()
