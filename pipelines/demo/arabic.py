"""Light segmentation of Arabic: vowel marks are removed, prefixes become words of their own.

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
    """Texts with prefixes cut off; the words of all texts together decide which are cut."""
    plain = [text.translate(MARKS).split() for text in texts]
    frequency = Counter(word for words in plain for word in words)
    cut = {word: " ".join(pieces(word, frequency)) for word in frequency}
    return [" ".join(cut[word] for word in words) for words in plain]


def pieces(word: str, frequency: Counter[str]) -> list[str]:
    """Prefixes of a word, each with JOINER at its end, and its stem.

    frequency: of all words, which decides whether the rest of a word is a word itself.
    """
    cut: list[str] = []
    for prefixes in (CONJUNCTIONS, PREPOSITIONS, (ARTICLE,)):
        for prefix in prefixes:
            rest = _rest(word, prefix)
            least = 1 if prefix == ARTICLE else max(1, frequency[word])
            if rest is not None and len(rest) >= LEAST and frequency[rest] >= least:
                cut.append(prefix + JOINER)
                word = rest
                break
    return [*cut, word]


def _rest(word: str, prefix: str) -> str | None:
    """A word without a prefix, None where it has another beginning.

    After the preposition l the article is written l, and becomes al again.
    """
    if not word.startswith(prefix):
        return None
    rest = word[len(prefix) :]
    return ARTICLE + rest[1:] if prefix == LAM and rest.startswith(LAM) else rest
