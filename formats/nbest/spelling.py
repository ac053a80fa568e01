"""Numbers, names and texts as other tools read them, and what their formats cannot hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from campanula.formats.errors import DataError
from campanula.formats.nbest.splitting import BARS
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts

BLANKS = " \t\n"
PLAIN_ID = re.compile(r"[^ \t\n|]+")


def spell(value: float) -> str:
    """The shortest text that reads as the same number; without a plus, which mert-moses refuses."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text.replace("e+", "e")


def sentence_field(kbest: KBest, source: str) -> str:
    """The id of a list, or its number; raises DataError for what is no first field of a line."""
    if kbest.id is None:
        return str(kbest.sid)
    if not PLAIN_ID.fullmatch(kbest.id):
        problem = f"expected an id without blanks and bars, found {kbest.id[:60]!r}"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.id


def bar_texts(texts: Texts, source: str, sid: int) -> Iterator[str]:
    """Yield texts for fields between bars; raises DataError for one that a field cannot hold."""
    suspect = b"|||" in texts.blob or b"\n" in texts.blob
    for place, text in enumerate(texts):
        if text != text.strip(" \t") or (suspect and ("\n" in text or BARS.search(text))):
            where = f"sentence {sid}: hypothesis {place}"
            problem = "expected text without ||| between blanks, line end, blank at its ends"
            raise DataError(source, where, f"{problem}; found {text!r}")
        yield text


class Spelling:
    """Spells the features of lists, and checks every name once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._checked = 0

    def check(self, names: Names) -> list[str]:
        """Names that are new in a growing table; raises DataError for one with a blank."""
        fresh = names.since(self._checked)
        self._checked += len(fresh)
        for name in fresh:
            if not name or any(blank in name for blank in BLANKS):
                problem = "expected a name without blanks"
                raise DataError(self._source, f"feature {name!r}", problem)
        return fresh

    def joined(self, kbest: KBest) -> Iterator[str]:
        """Yield the features of every hypothesis as `name=value name=value`."""
        self.check(kbest.names)
        for row in kbest.features.rows(kbest.names):
            yield " ".join(f"{name}={spell(value)}" for name, value in row.items())


def scores(kbest: KBest) -> list[str] | None:
    """Scores of a list as text."""
    return None if kbest.score is None else [spell(score) for score in kbest.score.tolist()]
