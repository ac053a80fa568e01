"""Lexical weights of phrase pairs: how likely their words translate each other.

    lex(e | f, a) = prod_i  mean of w(e_i | f_j) over the f_j linked to e_i

with w(e_i | NULL) for an unaligned word, and w(e | f) the share of f's links that go to e (Koehn
et al. 2003, section 4.4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit

PLACES = 7  # decimals that Moses keeps in its lexical tables


class LexicalTable(NamedTuple):
    """w(told | given): the row of a given word is row[given]:row[given + 1] of `told` and `prob`.

    `null` (V,): w(told | NULL).
    """

    row: Ints
    told: Ints
    prob: Floats
    null: Floats


class PhrasePlaces(NamedTuple):
    """Phrases (P,) of a text: phrase p is token[at[p]:at[p] + length[p]]."""

    token: Ints
    at: Ints
    length: Ints


def lexical_table(
    given: Ints, told: Ints, given_alone: Ints, told_alone: Ints, n_given: int, n_told: int
) -> LexicalTable:
    """Table from the words of every link, given (L,) and told (L,), and the unaligned words.

    A link to NULL counts among the links of a word.
    """
    key, count = np.unique(given * n_told + told, return_counts=True)
    row_word = key // n_told
    total = np.bincount(given, minlength=n_given) + np.bincount(given_alone, minlength=n_given)
    row = pointer_of(np.bincount(row_word, minlength=n_given))
    null = np.bincount(told_alone, minlength=n_told) / max(1, len(told_alone))
    return LexicalTable(row, key % n_told, _rounded(count / total[row_word]), _rounded(null))


def _rounded(prob: Floats) -> Floats:
    """Probabilities as Moses reads them back from its text, but never 0: a logarithm follows."""
    return np.maximum(np.round(prob, PLACES), 10.0**-PLACES)


@njit(cache=True, nogil=True)
def _lookup(table: LexicalTable, given_word: int, told_word: int) -> float:
    """w(told | given) of a link that has been counted, by binary search in the row."""
    low, high = table.row[given_word], table.row[given_word + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if table.told[middle] < told_word:
            low = middle + 1
        else:
            high = middle
    return float(table.prob[low])


@njit(cache=True, nogil=True)
def lexical_weights(
    table: LexicalTable, given: PhrasePlaces, told: PhrasePlaces, links: Ints
) -> Floats:
    """lex(told | given) (P,) of pairs of phrases.

    Bit s of byte t of `links` (P,) is set if given word s is linked to told word t.
    """
    weight = np.ones(len(links))
    for p in range(len(links)):
        for t in range(told.length[p]):
            word = told.token[told.at[p] + t]
            linked = (links[p] >> (8 * t)) & 255
            if linked == 0:
                weight[p] *= table.null[word]
                continue
            total, n, s = 0.0, 0, 0
            while linked >> s:
                if (linked >> s) & 1:
                    total += _lookup(table, given.token[given.at[p] + s], word)
                    n += 1
                s += 1
            weight[p] *= total / n
    return weight
