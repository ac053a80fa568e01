"""fairseq-generate: lines of several kinds with tabs between columns, in the order of batches.

    S-12 source      T-12 target      H-12 score hypothesis      D-12 score detokenised
    P-12 score of every word          A-12 alignment             (any other line is skipped)

Every hypothesis has an H line; the j-th D, P and A lines of a sentence belong to its j-th H line.
If one hypothesis has a D, P or A line, all must have one.  The score, a mean log probability of
base 2, is also the feature F0, as Marian calls its score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from campanula.formats.errors import LineError, quoted
from campanula.formats.nbest.documents import SCORE_FEATURE
from campanula.formats.nbest.reading import LineReader
from campanula.formats.nbest.rows import Row
from campanula.formats.nbest.sentence_ids import SentenceId
from campanula.formats.text.numbers import number, sentence_id

LINE = re.compile(r"([HDPA])-(\d+)\t(.*)", re.DOTALL)
ALMOST = re.compile(r"[HDPA]-\d*(?:\s.*)?|[HDPAST]-?\d*|[HDP](?:-[^\t]*)?\t.*", re.DOTALL)
FIELDS = {"D": "detokenized", "P": "WordScores", "A": "alignment"}


def reader() -> FairseqReader:
    """Return a reader of lists."""
    return FairseqReader()


class FairseqReader(LineReader):
    """Keeps all hypotheses until the end, since their other lines may come much later."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._fields: dict[tuple[SentenceId, str], list[str]] = {}

    def read(self, line: str) -> Iterable[Row]:
        """Keep the content of a line; raises LineError."""
        match = LINE.fullmatch(line)
        if match is None:
            if ALMOST.fullmatch(line):
                raise LineError(f"expected such as `H-12`, a tab and more, found {quoted(line)}")
            return ()
        kind = match[1]
        sid = sentence_id(match[2])
        rest = match[3]
        if kind in "PA":
            self._fields.setdefault((sid, kind), []).append(rest.strip(" \t"))
            return ()
        score, tab, text = rest.partition("\t")
        if not tab:
            raise LineError(f"expected `{kind}-{sid}`, a score and a text, found {quoted(line)}")
        if kind == "D":
            self._fields.setdefault((sid, kind), []).append(text)
        else:
            value = number(score.strip(" "), f"feature {SCORE_FEATURE!r}")
            self._rows.append(Row(sid, text.strip(" \t"), {SCORE_FEATURE: value}, value))
        return ()

    def finish(self) -> Iterable[Row]:
        """Return all hypotheses; raises LineError when D, P or A lines do not match H lines."""
        size = Counter(row.sid for row in self._rows)
        # finds sentences without any H line, too: a Counter has 0 of them
        for sid, kind in self._fields:
            self._check(sid, kind, size[sid])
        kinds = [kind for kind in FIELDS if any(kind == other for _, other in self._fields)]
        taken: Counter[SentenceId] = Counter()
        for row in self._rows:
            for kind in kinds:
                self._check(row.sid, kind, size[row.sid])
                row.fields[FIELDS[kind]] = self._fields[row.sid, kind][taken[row.sid]]
            taken[row.sid] += 1
        return self._rows

    def _check(self, sid: SentenceId, kind: str, size: int) -> None:
        """Raise LineError unless a sentence has `size` lines of this kind, as it has hypotheses."""
        lines = len(self._fields.get((sid, kind), ()))
        if lines != size:
            found = f"found {lines} {kind} lines and {size} H lines"
            raise LineError(f"sentence {sid}: expected as many of both, {found}")
