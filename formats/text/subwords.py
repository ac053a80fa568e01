"""Joins subwords into words: the pieces of BPE (`c@@ at`) and of SentencePiece (`▁c at`).

A BPE piece that ends in @@ is joined to the next one (subword-nmt's rule); a SentencePiece piece
that begins with ▁ begins a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from campanula.formats.errors import LineError, quoted
from campanula.formats.records.texts import Texts

BPE = re.compile("@@( |$)")
WORD_BEGINS = "\u2581"


def join_bpe(text: str) -> str:
    """Join BPE pieces: `the c@@ at` becomes `the cat`; @@ at the end of the text is dropped."""
    return BPE.sub("", text)


def join_spm(text: str) -> str:
    """Join SentencePiece's pieces: `▁the ▁c at` becomes `the cat`."""
    return text.replace(" ", "").replace(WORD_BEGINS, " ").strip(" ")


JOINERS: dict[str, Callable[[str], str]] = {"bpe": join_bpe, "spm": join_spm}
"""Function that joins the pieces of a text, by kind of subwords: `JOINERS["bpe"](line)`."""


def check_pieces(texts: Iterable[str], kind: str) -> None:
    """Raise LineError if no text has SentencePiece's mark: its rule would join all words."""
    several = None
    for text in texts:
        if kind != "spm" or WORD_BEGINS in text:
            return
        if " " in text.strip(" "):
            several = several or text
    if several is not None:
        raise LineError(f"expected subwords with {WORD_BEGINS}, found none: {quoted(several)}")


def joined(texts: Texts, kind: str) -> Texts:
    """Return the texts (n,) with subwords of this kind joined into words."""
    return Texts.of(map(JOINERS[kind], texts))
