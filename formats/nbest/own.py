r"""A list format of the user's own: a function of the lines of a file.

    def read(lines):
        for line in lines:
            sid, score, text = line.split("\t")
            yield int(sid), text, float(score), {"length": len(text.split())}

It yields for every hypothesis the sentence id (a number or text), text, score (or None) and
features by name, in any order of sentences.  If it raises ValueError, LookupError or TypeError, the
line that was read last is reported as bad.  To write lists, too, give a module or another object
that has beside `read` a function

    def write(lists, source):                    # KBest records, and the name of their file
        for kbest in lists:
            for text in kbest.text:
                yield f"{kbest.sid}\t{text}"
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsFloat, SupportsIndex

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.reading import gathered
from campanula.formats.nbest.rows import Row, pieces_of
from campanula.formats.nbest.same_numbers import SameNumbers
from campanula.formats.nbest.sentence_ids import SentenceIds, sentence_id_of
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.registry import read_and_write

Hypothesis = tuple[SupportsIndex | str, str, float | None, Mapping[str, float]]
Read = Callable[[Iterator[str]], Iterable[Hypothesis]]
Write = Callable[[Iterable[KBest], str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class OwnFormat:
    """A format made of the user's functions."""

    name: str
    reading: Read
    writing: Write | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """No settings: a function takes only the lines."""
        return ()

    @property
    def needed(self) -> tuple[str, ...]:
        """No settings are needed."""
        return ()

    def with_options(self, settings: Mapping[str, Any]) -> OwnFormat:
        """Return the format itself: it has no settings."""
        return self

    @property
    def writes(self) -> bool:
        """Whether lists can be written."""
        return self.writing is not None

    def own_file(self) -> str | None:
        """Return the path of the code of `reading`, None if it has none."""
        from inspect import getsourcefile, unwrap

        try:
            return getsourcefile(unwrap(self.reading))
        except TypeError:  # an object or a compiled function
            return None

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        names = Names()
        ids = SentenceIds()
        pieces = list(pieces_of(self._rows(blocks, source), names, ids))
        return gathered(pieces, names, ids, source)

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield the lines of lists; raises DataError for a format that cannot be written."""
        if self.writing is None:
            raise DataError(source, None, f"lists in the format {self.name} cannot be written")
        yield from self.writing(lists, source)

    def pages(self, lists: Iterable[KBest], source: str) -> None:
        """Return None: the user's function gives lines of text."""

    def _rows(self, blocks: Iterable[Block], source: str) -> Iterator[Row]:
        lines = NumberedLines(blocks)
        same_numbers = SameNumbers()
        try:
            for hypothesis in self.reading(lines):
                yield same_numbers.checked(row_of(hypothesis))
        # first, since a LineError is a ValueError, too, but its message is whole
        except LineError as error:
            raise DataError(source, f"line {lines.number}", str(error)) from error
        except (ValueError, LookupError, TypeError, OverflowError) as error:
            problem = f"expected a line of the format {self.name}, found {quoted(lines.line)}"
            raise DataError(source, f"line {lines.number}", f"{problem} ({error})") from error


class NumberedLines:
    """The lines of blocks; number and line are those of the line read last, for errors."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._lines = (
            line for block in whole_lines(blocks) for line in block.data.split(b"\n")[:-1]
        )
        self.number = 0
        self.line = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.line = line.decode("utf-8")
        return self.line


def row_of(hypothesis: Hypothesis) -> Row:
    """Make the row of a hypothesis; raises LineError for values that a list cannot have."""
    sid, text, score, features = hypothesis
    if not isinstance(sid, str) and (not isinstance(sid, SupportsIndex) or index(sid) < 0):
        raise LineError(f"expected the number or the id of a sentence, found {sid!r}")
    if not isinstance(text, str):
        raise LineError(f"expected a text, found {text!r}")
    if not isinstance(features, Mapping):
        raise LineError(f"expected features by name, found {features!r}")
    values = {name: _finite(value, f"feature {name!r}") for name, value in features.items()}
    sentence = sentence_id_of(sid) if isinstance(sid, str) else index(sid)
    return Row(sentence, text, values, None if score is None else _finite(score, "score"))


def _finite(value: float, what: str) -> float:
    if not isinstance(value, SupportsFloat) or not math.isfinite(value):
        raise LineError(f"{what}: expected a finite number, found {value!r}")
    return float(value)


def own_format(name: str, item: Any) -> OwnFormat:
    """Make a format of a function, or of an object with `read` and perhaps `write`."""
    if isinstance(item, OwnFormat):
        return item
    return OwnFormat(name, *read_and_write("list format", name, item))
