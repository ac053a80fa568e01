"""Marks in a text which show the source words of each phrase.

    a strategy |0-1| to hinder |3-4| him |7-7|        (moses -report-segmentation, Joshua)

The text is `a strategy to hinder him`; the marks become the field `segmentation` in Moses's form:
`0-1=0-1 3-4=2-3 7=4`, source words, then words of the text.  A mark ends every phrase, so a text
with marks ends in one.  The text of a sentence that the decoder failed to translate has no marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from campanula.formats.errors import LineError, quoted
from campanula.formats.records.texts import Texts

MARK = re.compile(r"\|(\d+)-(\d+)\|")
MORE = re.compile(r"(?<!\S)\|\d+-\d+,[^ |]*=")  # marks of moses -report-segmentation-enriched
ANY = re.compile(rb"\|\d+-\d+[|,]")
FIELD = "segmentation"


class Marks:
    """Separates texts and marks, and knows whether the texts of a list have had marks so far."""

    def __init__(self) -> None:
        self.used = False
        self._inside: str | None = None  # the first text with a mark, but none at its end

    def parted(self, text: str) -> tuple[str, str | None]:
        """Return text and segmentation, which is None until the first marks; raises LineError."""
        if "|" in text and MORE.search(text):
            expected = "expected a text, or one with marks such as |0-1|"
            raise LineError(f"{expected}, found marks with more in them: {quoted(text)}")
        words = text.split(" ")
        if MARK.fullmatch(words[-1]):
            self.used = True
            self._refuse(self._inside)
            return _parted(words)
        if "|" in text and any(map(MARK.fullmatch, words)):
            self._inside = self._inside or text
            self._refuse(text if self.used else None)
        return text, "" if self.used else None

    @staticmethod
    def _refuse(text: str | None) -> None:
        """Raise LineError for a text, if not None, that has no mark at its end as others have."""
        if text is not None:
            expected = "expected a mark such as |0-1| at the end of every text with marks"
            raise LineError(f"{expected}, found {text[-60:]!r}")

    def absent(self, texts: Texts) -> bool:
        """Whether these texts, and all before them, have no marks."""
        return not (self.used or (b"|" in texts.blob and ANY.search(texts.blob)))


def _parted(words: Iterable[str]) -> tuple[str, str]:
    text_words: list[str] = []
    spans: list[str] = []
    start = 0
    for word in words:
        mark = MARK.fullmatch(word)
        if mark is None:
            if word:
                text_words.append(word)
            continue
        spans.append(f"{_span(int(mark[1]), int(mark[2]))}={_span(start, len(text_words) - 1)}")
        start = len(text_words)
    return " ".join(text_words), " ".join(spans)


def _span(first: int, last: int) -> str:
    """Return a span of words as `3-4`, or `3` for one word, or "" for no word."""
    if last < first:
        return ""
    return str(first) if first == last else f"{first}-{last}"
