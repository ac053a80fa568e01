"""Words of a text: its pieces between white space of any kind.

This is sacrebleu's definition (its tokenizer `none`).  It holds wherever words of hypotheses and
references are counted or compared: in metrics, for lengths, for whether a hypothesis reaches a
reference.  In files whose format defines the separator (phrase tables, ARPA files, the text that a
model is estimated from or decodes), it is a blank or a tab alone: formats/text/corpus.py.
"""

from __future__ import annotations


def words_of_text(text: str) -> list[str]:
    """Split a text into words; a no-break space or U+3000 separates words, too."""
    return text.split()
