"""Lines of n-grams as in ARPA files: log probability, words, back-off weight if there is one."""

from __future__ import annotations

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.eight_digits import spell_eight
from campanula.stages.kernels.text.pages import BLANK, Strings
from campanula.stages.kernels.text.words import BLOCK, move

TAB, NEW_LINE = b"\t\n"
NUMBER = 17  # bytes of a number, at most, with the tab or newline behind it


@njit(**LEAN)
def write_ngrams(
    out: Bytes, spelling: Strings, words: Ints, log_prob: Floats, log_backoff: Floats
) -> int:
    """Write n-grams, words (size, n), one a line; return the number of bytes.

    log_backoff (size,), or (0,) without back-off weights.  spelling.byte has BLOCK bytes more than
    the last word; of `out`, up to BLOCK and spelling.LONGEST bytes behind the result are
    overwritten.
    """
    at = 0
    for i in range(words.shape[0]):
        at = spell_eight(out, at, log_prob[i])
        out[at] = TAB
        for k in range(words.shape[1]):
            if k > 0:
                out[at] = BLANK
            at += 1
            start, end = spelling.pointer[words[i, k]], spelling.pointer[words[i, k] + 1]
            # whole blocks: the bytes beyond the word are overwritten by what follows
            for place in range(start, end, BLOCK):
                move(out, at + (place - start), spelling.byte, place)
            at += end - start
        if len(log_backoff) > 0:
            out[at] = TAB
            at = spell_eight(out, at + 1, log_backoff[i])
        out[at] = NEW_LINE
        at += 1
    return at
