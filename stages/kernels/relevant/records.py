"""Relevant sets as arrays: rows of hypotheses in lists, and sets packed for training.

A feature of value 1 is an entry of `binary`, any other that is not 0 an entry of `valued`; ids
ascend in a row.  So equal feature vectors are equal rows, however their lists were stored, and a
score is a sum in one order: valued features, then binary ones, by their ids.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints, Words64

TABLE_II, EQUATION_7, PERCEPTRON = range(3)
"""Updates of the weights by a sentence: Tillmann and Zhang's Table II, Eq. 7, and Table III."""


class Rows(NamedTuple):
    """Hypotheses (n_hyps) of consecutive lists (n_lists): features, gain, hash of the text.

    List i has hypotheses list_pointer[i]:list_pointer[i + 1].  valued_id, value and binary_id are
    compressed rows (CSR) with pointers (n_hyps + 1,); gain and text (n_hyps,).
    """

    list_pointer: Ints
    # features (n_hyps rows)
    valued_pointer: Ints
    valued_id: Ids
    value: Floats
    binary_pointer: Ints
    binary_id: Ids
    gain: Floats
    text: Words64


class Sets(NamedTuple):
    """Relevant sets of sentences (n), packed.

    Sentence i has the hypotheses pointer[i]:pointer[i + 1], of which the first truths[i] are truths
    and the others alternatives; best[i], counted from pointer[i], is the truth of the highest gain,
    or, without truths, the hypothesis of the highest gain.  The weights of its distinct features
    have the places (kernels/relevant/places.py) common[common_pointer[i]:common_pointer[i + 1]],
    those below 2^16, and rare[rare_pointer[i]:rare_pointer[i + 1]], the others; a code of an entry
    is the number of its feature among these, common ones first.  Hypothesis j has the features
    valued_code with `value` at valued_pointer[j]:valued_pointer[j + 1], and binary_code at
    binary_pointer[j]:binary_pointer[j + 1]; gain (n_hyps,).
    """

    pointer: Ints
    truths: Ids
    best: Ids
    common_pointer: Ints
    common: Any  # uint16: half as much memory to fetch as of int32
    rare_pointer: Ints
    rare: Ids
    valued_pointer: Ints
    valued_code: Any  # uint16, or uint32 if a sentence has more features than that counts
    value: Floats
    binary_pointer: Ints
    binary_code: Any
    gain: Floats


class Rule(NamedTuple):
    """An update: TABLE_II, EQUATION_7 or PERCEPTRON, step size eta, and `shrink`, a sentence's
    factor of L2.

    printed: Table II with its sign as printed, which picks the alternative that violates least.
    """

    update: int
    printed: bool
    eta: float
    shrink: float


class ScaledWeights(NamedTuple):
    """Weights w = w_fixed + a u; u (n_features,) by places of features, factor (1,) holds a.

    base (n_hyps,): the scores under w_fixed, or (0,) if there is none; free (n_features,), by
    places: which weights may change, or (0,) if all may.
    """

    u: Floats
    factor: Floats  # an array of one, so that kernels can change it
    base: Floats
    free: Flags


class SentenceRoom(NamedTuple):
    """Working space of a sentence, as large as the largest needs.

    Of its features: own, their weights, and delta, 0 between updates; of its hypotheses: score; of
    its truths: chosen, the alternative, and step.
    """

    # allocated once, not for every sentence of every pass
    own: Floats
    delta: Floats
    score: Floats
    chosen: Ints
    step: Floats
