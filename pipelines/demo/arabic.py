"""Arabic in lighter words: marks of vowels go, what is written together with a word stands apart.

    wal-kitab, "and the book"   ->   w- al- kitab        - is Arabic's own line, U+0640

A conjunction (w, f), then a preposition (b, k, l), then the article (al; after l it is l) are cut
off where three letters are left and the text has what is left as a word, before the article at
least as often as the whole: so a word that only begins with such a letter stays (after Larkey et
al. 2007, light stemming; Habash and Sadat 2006 on segmentation for translation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ARABIC = "ar"
MARKS = dict.fromkeys([*range(0x064B, 0x0653), 0x0670, 0x0640])  # vowels, shadda, tatweel
CONJUNCTIONS = ("\u0648", "\u0641")  # w, f
PREPOSITIONS = ("\u0628", "\u0643", "\u0644")  # b, k, l
ARTICLE = "\u0627\u0644"  # al
LAM = "\u0644"
JOINER = "\u0640"  # which a tokenizer takes for a letter
LEAST = 3  # letters of what is left


def segmented(texts: Iterable[str]) -> list[str]:
    """Texts with what begins other words cut off; all texts together say which words there are."""
    plain = [text.translate(MARKS).split() for text in texts]
    known = Counter(word for words in plain for word in words)
    cut = {word: " ".join(pieces(word, known)) for word in known}
    return [" ".join(cut[word] for word in words) for words in plain]


def pieces(word: str, known: Counter[str]) -> list[str]:
    """A word in pieces; all but the last end in JOINER."""
    found: list[str] = []
    for prefixes in (CONJUNCTIONS, PREPOSITIONS, (ARTICLE,)):
        for prefix in prefixes:
            rest = _rest(word, prefix)
            often = 1 if prefix == ARTICLE else max(1, known[word])
            if rest is not None and len(rest) >= LEAST and known[rest] >= often:
                found.append(prefix + JOINER)
                word = rest
                break
    return [*found, word]


def _rest(word: str, prefix: str) -> str | None:
    """What is left of a word without a prefix; the article loses its a after the preposition l."""
    if not word.startswith(prefix):
        return None
    rest = word[len(prefix) :]
    return ARTICLE + rest[1:] if prefix == LAM and rest.startswith(LAM) else rest
