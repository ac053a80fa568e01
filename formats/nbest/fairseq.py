"""fairseq-generate: lines of many kinds, apart by tabs, in the order of its batches.

    S-12 source      T-12 target      H-12 score hypothesis      D-12 score detokenised
    P-12 score of every word          (any other line is skipped)

Every hypothesis has an H line; the j-th P and D lines of a sentence belong to its j-th H line.
The score, a mean log-probability of base 2, is also the feature F0, as Marian calls its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from campanula.formats.errors import LineError
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import number, sentence_id

LINE = re.compile(r"([HDP])-(\d+)\t(.*)", re.DOTALL)
FIELDS = {"D": "detokenized", "P": "WordScores"}


def reader() -> FairseqReader:
    """A reader of one list."""
    return FairseqReader()


class FairseqReader(LineReader):
    """Keeps the hypotheses until the end, since their other lines may come late."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._fields: dict[tuple[int, str], list[str]] = {}

    def read(self, line: str) -> Iterable[Row]:
        """Take in a line; raises LineError."""
        found = LINE.fullmatch(line)
        if found is None:
            return ()
        kind = found[1]
        sid = sentence_id(found[2])
        rest = found[3]
        if kind == "P":
            self._fields.setdefault((sid, kind), []).append(rest.strip(" \t"))
            return ()
        score, tab, text = rest.partition("\t")
        if not tab:
            raise LineError(f"expected `{kind}-{sid}`, a score and a text, found {line[:60]!r}")
        if kind == "D":
            self._fields.setdefault((sid, kind), []).append(text)
        else:
            value = number(score.strip(" "), "feature 'F0'")
            self._rows.append(Row(sid, text.strip(" \t"), {"F0": value}, value))
        return ()

    def finish(self) -> Iterable[Row]:
        """All hypotheses; raises LineError when other lines do not fit them."""
        taken: dict[int, int] = {}
        for row in self._rows:
            place = taken[row.sid] = taken.get(row.sid, -1) + 1
            for kind, name in FIELDS.items():
                lines = self._fields.get((row.sid, kind))
                if lines is not None and place < len(lines):
                    row.fields[name] = lines[place]
        for (sid, kind), lines in self._fields.items():
            if len(lines) != taken.get(sid, -1) + 1:
                found = f"found {len(lines)} {kind} lines and {taken.get(sid, -1) + 1} H lines"
                raise LineError(f"sentence {sid}: expected as many of both, {found}")
        return self._rows
