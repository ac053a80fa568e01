"""Words of a text: what stands between white space of any kind.

This is sacrebleu's definition (its tokenizer `none`), and the one wherever words of hypotheses and
references are counted or compared: by the metrics, as a length, in what reaches a reference.  Where
a file's format says what separates its tokens (phrase tables, ARPA files, the text that a model is
made of or that is decoded with one), that is a blank or a tab alone: formats/text/corpus.py.
"""

from __future__ import annotations


def words_of_text(text: str) -> list[str]:
    """The words of a text; a no-break space, U+3000 and their kin are between words, too."""
    return text.split()
