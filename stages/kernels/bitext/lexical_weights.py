"""Lexical weights of phrase pairs, from the translation probabilities of their words.

    lex(e | f, a) = prod_i  mean of w(e_i | f_j) over the f_j linked to e_i

with w(e_i | NULL) for an unaligned word, and w(e | f) the share of f's links that go to e (Koehn
et al. 2003, section 4.4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.binary_search import lower_bound
from campanula.stages.kernels.compiled import njit

PLACES = 7  # decimals of Moses's lexical tables, which its scores are computed from


class LexicalTable(NamedTuple):
    """Word translation probabilities w(predicted | given), sorted by given and predicted word.

    A given word has the entries row[given]:row[given + 1] of `predicted` and `prob`; `null` (V,) is
    w(predicted | NULL).
    """

    row: Ints
    predicted: Ints
    prob: Floats
    null: Floats


class PhrasePlaces(NamedTuple):
    """Phrases (P,) of a text: phrase p is token[at[p]:at[p] + length[p]]."""

    token: Ints
    at: Ints
    length: Ints


def lexical_table(
    given: Ints,
    predicted: Ints,
    given_alone: Ints,
    predicted_alone: Ints,
    n_given: int,
    n_predicted: int,
) -> LexicalTable:
    """Return the table of the words of every link, given (L,) and predicted (L,).

    given_alone and predicted_alone are the unaligned words, linked to NULL.
    """
    key, count = np.unique(given * n_predicted + predicted, return_counts=True)
    row_word = key // n_predicted
    # w(predicted | given) leaves a share to NULL: such links count among those of a word
    total = np.bincount(given, minlength=n_given) + np.bincount(given_alone, minlength=n_given)
    row = pointer_of(np.bincount(row_word, minlength=n_given))
    null = np.bincount(predicted_alone, minlength=n_predicted) / max(1, len(predicted_alone))
    return LexicalTable(row, key % n_predicted, _rounded(count / total[row_word]), _rounded(null))


def _rounded(prob: Floats) -> Floats:
    """Round probabilities as Moses's text does, but never to 0: their logarithms are taken."""
    return np.maximum(np.round(prob, PLACES), 10.0**-PLACES)


@njit(cache=True, nogil=True)
def lexical_weights(
    table: LexicalTable, given: PhrasePlaces, predicted: PhrasePlaces, links: Ints
) -> Floats:
    """Return lex(predicted | given) (P,) of pairs of phrases.

    Bit s of byte t of `links` (P,) is set if given word s is linked to predicted word t.
    """
    weight = np.ones(len(links))
    for p in range(len(links)):
        for t in range(predicted.length[p]):
            word = predicted.token[predicted.at[p] + t]
            linked = (links[p] >> (8 * t)) & 255  # the given words linked to word t, a bit each
            if linked == 0:
                weight[p] *= table.null[word]
                continue
            total = 0.0
            n = 0
            s = 0
            while linked >> s:
                if (linked >> s) & 1:
                    f = given.token[given.at[p] + s]
                    # every link is in the table: the word stands at its place
                    place = lower_bound(table.predicted, table.row[f], table.row[f + 1], word)
                    total += table.prob[place]
                    n += 1
                s += 1
            weight[p] *= total / n
    return weight
