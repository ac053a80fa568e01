"""Join subwords into words: the pieces of BPE (`c@@ at`) and of SentencePiece (`▁c at`).

A piece of BPE that ends in @@ goes on in the next (subword-nmt's rule); a piece of SentencePiece
that begins with ▁ begins a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from campanula.formats.errors import LineError
from campanula.formats.records.texts import Texts

BPE = re.compile("@@( |$)")
WORD_BEGINS = "\u2581"


def join_bpe(text: str) -> str:
    """Words of BPE pieces: `the c@@ at` is `the cat`; a last piece loses its mark."""
    return BPE.sub("", text)


def join_spm(text: str) -> str:
    """Words of SentencePiece's pieces: `▁the ▁c at` is `the cat`."""
    return text.replace(" ", "").replace(WORD_BEGINS, " ").strip(" ")


JOINERS: dict[str, Callable[[str], str]] = {"bpe": join_bpe, "spm": join_spm}
"""How the pieces of a kind of subwords are joined: `JOINERS["bpe"](line)`."""


def check_pieces(texts: Iterable[str], kind: str) -> None:
    """Raise LineError for texts that are words already, which SentencePiece's rule would glue."""
    several = None
    for text in texts:
        if kind != "spm" or WORD_BEGINS in text:
            return
        if " " in text.strip(" "):
            several = several or text
    if several is not None:
        raise LineError(f"expected subwords with {WORD_BEGINS}, found none: {several[:60]!r}")


def joined(texts: Texts, kind: str) -> Texts:
    """Texts (n,) with the subwords of a kind joined into words."""
    return Texts.of(map(JOINERS[kind], texts))
