"""Relevant sets as arrays: rows of hypotheses as lists have them, and sets packed for training.

A feature of value 1 is an entry of `binary`, any other that is not 0 one of `valued`; both ascend
in a row.  So equal feature vectors are equal rows, however their lists were stored, and a score is
a sum in one order: valued features, then binary ones, by their ids.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints, Words64

TABLE_II, EQUATION_7, PERCEPTRON = 0, 1, 2
"""How a sentence changes the weights: T&Z's Table II, its Eq. 7, its Table III."""


class Rows(NamedTuple):
    """Hypotheses (n_hyps) of consecutive lists (n_lists): features, gain, hash of the text.

    Those of list i are list_pointer[i]:list_pointer[i + 1].  valued_id, value and binary_id are
    compressed rows, of pointers (n_hyps + 1,); gain and text (n_hyps,).
    """

    list_pointer: Ints
    valued_pointer: Ints
    valued_id: Ids
    value: Floats
    binary_pointer: Ints
    binary_id: Ids
    gain: Floats
    text: Words64


class Sets(NamedTuple):
    """Relevant sets of sentences (n), packed.

    Of sentence i: the places of its different features' weights (kernels/relevant/places.py), those
    below 2^16 common[common_pointer[i]:common_pointer[i + 1]], then the others
    rare[rare_pointer[i]:rare_pointer[i + 1]], to which the codes of its hypotheses point; and its
    hypotheses pointer[i]:pointer[i + 1], of which the first truths[i] are truths and the others
    alternatives.  best[i] is the truth of the highest gain, counted from pointer[i]; where there
    are no truths, the hypothesis.
    """

    pointer: Ints
    truths: Ids
    best: Ids
    common_pointer: Ints
    common: Any
    rare_pointer: Ints
    rare: Ids
    valued_pointer: Ints
    valued_code: Any
    value: Floats
    binary_pointer: Ints
    binary_code: Any
    gain: Floats


class Rule(NamedTuple):
    """An update: TABLE_II, EQUATION_7 or PERCEPTRON, its step size, and the factor of L2 a step.

    printed: Table II with its sign as printed, which picks the alternative that violates least.
    """

    update: int
    printed: bool
    eta: float
    shrink: float


class ScaledWeights(NamedTuple):
    """w = base + a u of the features; u (n_features,) by their places, factor (1,) has a.

    base (n_hyps,): the scores under weights that do not move, or (0,) where u has these as well;
    free (n_features,), by places: which may move, or (0,) where all may.
    """

    u: Floats
    factor: Floats
    base: Floats
    free: Flags


class SentenceRoom(NamedTuple):
    """Working space of a sentence: of its features own and delta, which is 0, of its hypotheses
    score, and of its truths chosen and step; the widest sentence's.
    """

    own: Floats
    delta: Floats
    score: Floats
    chosen: Ints
    step: Floats
