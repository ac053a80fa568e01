"""Words of a text, by two definitions: between blanks and tabs, or between any white space.

In files whose format defines the separator (phrase tables, ARPA files, the text that a model is
estimated from or decodes) it is a blank or a tab alone, as in Moses: a no-break space or U+3000 is
part of its word.  Wherever words of hypotheses and references are counted or compared (in metrics,
for lengths, for whether a hypothesis reaches a reference), white space of any kind separates them.
This is sacrebleu's definition (its tokenizer `none`).
"""

from __future__ import annotations


def split_words(line: str) -> list[str]:
    """Return the words of a line, which blanks and tabs separate."""
    return [word for word in line.replace("\t", " ").split(" ") if word]


def split_byte_words(text: bytes) -> list[bytes]:
    """Return the words of a text in UTF-8, which blanks and tabs separate."""
    return [word for word in text.replace(b"\t", b" ").split(b" ") if word]


def words_of_text(text: str) -> list[str]:
    """Return the words of a hypothesis or reference, which white space of any kind separates."""
    return text.split()
