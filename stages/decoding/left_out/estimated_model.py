"""Whether a language model is the one that estimate-lm makes of a text, n-gram by n-gram.

The model is a part of an automaton (formats/model/language_models.py); the text is given by the
counts of its n-grams (kernels/lm/kneser_ney.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arpa.reader import read_arpa
from campanula.formats.arrays.columns import (
    BACKOFF,
    CONTEXT,
    LOWER,
    STATE,
    TARGET,
    UNIGRAM_TARGET,
    UNIGRAM_VALUE,
    VALUE,
    WORD,
)
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints, Singles
from campanula.formats.errors import DataError
from campanula.formats.model.automaton import Automaton, with_unknown
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.sorted_ngrams import LN10

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.kneser_ney import Counts, Order

TOLERANCE = 1e-5  # of a log10: other programs estimate in single precision
HINT = "for a model of other text list the parts of --leave-out, without lm"


class ModelPart(NamedTuple):
    """One of the models of an automaton: its number, its first word and number of words, the mask
    (n_states,) of its states, and the length of its longest n-grams.
    """

    number: int
    first: int
    n_words: int
    own: Flags
    order: int


class Placed(NamedTuple):
    """Where K n-grams of one length are in an automaton; -1 where it has none.

    before (K,): state of the context; at (K,): slot of the table, for unigrams the number of the
    word; after (K,): state after the n-gram.
    """

    before: Ints
    at: Ints
    after: Ints


def model_parts(automaton: Automaton) -> list[ModelPart]:
    """Return the models of an automaton, in their order."""
    n = len(automaton.special)
    # back off from every state to the empty context, whose number is that of the model
    root = np.arange(len(automaton.state))
    while (above := root >= n).any():
        root[above] = automaton.state[root[above], LOWER]
    of_word = root[automaton.unigram[:, UNIGRAM_TARGET]]
    parts = []
    for number in range(n):
        words = np.flatnonzero(of_word == number)
        own = root == number
        order = 1 + int(automaton.state[own, CONTEXT].max())
        parts.append(ModelPart(number, int(words[0]), len(words), own, order))
    return parts


def placed(automaton: Automaton, part: ModelPart, levels: Sequence[Counts]) -> list[Placed]:
    """Return where the n-grams of a text are in the automaton, for each length.

    The words of `levels` are numbered from the part's first word.
    """
    from campanula.stages.kernels.lm.own_ngrams import transition_slots

    table, context = automaton.table, automaton.state[:, CONTEXT]
    words = np.arange(part.first, part.first + part.n_words)
    after = automaton.unigram[words, UNIGRAM_TARGET].astype(np.int64)
    result = [Placed(np.full(len(words), part.number), words, after)]
    for length, level in enumerate(levels[1:], 1):
        before = result[-1].after[level.prefix]
        # a state of a shorter context: the automaton lacks this context, and so the n-gram
        has_context = (before >= 0) & (context[before] == length)
        at = transition_slots(table, table_bits(table), before, level.word + part.first)
        at = np.where(has_context, at, -1)
        result.append(Placed(before, at, np.where(at >= 0, table[at, TARGET].astype(np.int64), -1)))
    return result


class ModelComparison:
    """Compares a model with the one that estimate-lm makes of a text; path, text: for messages."""

    def __init__(self, automaton: Automaton, part: ModelPart, path: str, text: str) -> None:
        self._automaton = automaton
        self._part = part
        self._path = path
        self._text = text

    def refuse_others(
        self, levels: Sequence[Counts], orders: Sequence[Order], places: Sequence[Placed], bos: int
    ) -> None:
        """Raise DataError for the first n-gram with other values, or that only one model has.

        bos: number of <s>, whose probability is not compared, since it is never predicted.
        """
        for length, (order, place) in enumerate(zip(orders, places, strict=True), 1):
            prob, backoff = self._values(length, place)
            wrong = ~(np.abs(prob - order.log_prob) < TOLERANCE)  # NaN is wrong, too
            if length == 1:
                wrong[bos] = False
            wrong |= ~(np.abs(backoff - order.log_backoff) < TOLERANCE)
            if wrong.any():
                x = int(np.argmax(wrong))
                ngram = _words_of(levels, length, x)
                expected = _shown(order.log_prob[x], order.log_backoff[x])
                raise self.fault(ngram, expected, _shown(prob[x], backoff[x]))
        self._refuse_more(places)

    def fault(self, words: Sequence[int], expected: str, found: str) -> DataError:
        """Return the error of an n-gram; words: numbered from the part's first word."""
        vocabulary = with_unknown(read_arpa(self._path)).vocabulary
        text = b" ".join(vocabulary[word] for word in words).decode()
        problem = f"expected {expected} as estimate-lm makes it of {self._text}, found {found}"
        return DataError(self._path, f"{len(words)}-gram '{text}'", f"{problem}: {HINT}")

    def _values(self, length: int, place: Placed) -> tuple[Floats, Floats]:
        """Return log10 of probabilities (K,) and backoffs (K,).

        The probability of an n-gram that the model lacks is NaN, its backoff 0.
        """
        automaton = self._automaton
        present = place.at >= 0
        column = UNIGRAM_VALUE if length == 1 else VALUE
        rows = automaton.unigram if length == 1 else automaton.table
        # where the model lacks an n-gram its place is -1: what the last row has is not used
        prob = np.where(present, _singles(rows[place.at, column]) / LN10, np.nan)
        is_state = automaton.state[place.after, CONTEXT] == length
        backoff = _singles(automaton.state[place.after, BACKOFF]) / LN10
        return prob, np.where(present & is_state, backoff, 0.0)

    def _refuse_more(self, places: Sequence[Placed]) -> None:
        """Raise DataError for an n-gram of the model that the text lacks."""
        table = self._automaton.table
        # a free slot has the state -1, and so reads the last state's entry of the mask in vain
        extra = (table[:, STATE] >= 0) & self._part.own[table[:, STATE]]
        for place in places[1:]:
            extra[place.at] = False
        if extra.any():
            slot = int(np.argmax(extra))
            state, word = table[slot, [STATE, WORD]].tolist()
            ngram = [*_context_words(self._automaton, state), word]
            words = [word - self._part.first for word in ngram]
            value = float(_singles(table[slot : slot + 1, VALUE])[0]) / LN10
            raise self.fault(words, "none", _shown(value, 0.0))


def _words_of(levels: Sequence[Counts], length: int, x: int) -> list[int]:
    """Return the words of n-gram x of a length."""
    words = []
    for level in reversed(levels[:length]):
        words.append(int(level.word[x]))
        x = int(level.prefix[x])
    return words[::-1]


def _context_words(automaton: Automaton, state: int) -> list[int]:
    """Return the words of a state's context; searches the table, so for messages only."""
    table, context = automaton.table, automaton.state[:, CONTEXT]
    words = list[int]()
    # go back from the longest context to its first word: each transition into `state` from a state
    # of the context one word shorter has the context's last word
    for length in range(int(context[state]), 1, -1):
        before = np.maximum(table[:, STATE], 0)
        leads = (table[:, STATE] >= 0) & (table[:, TARGET] == state)
        slot = int(np.argmax(leads & (context[before] == length - 1)))
        words.append(int(table[slot, WORD]))
        state = int(table[slot, STATE])
    words.append(int(np.argmax(automaton.unigram[:, UNIGRAM_TARGET] == state)))
    return words[::-1]


def _shown(prob: float, backoff: float) -> str:
    if np.isnan(prob):
        return "none"
    return f"log10 {prob:.6g}" + (f" and backoff {backoff:.6g}" if backoff else "")


def _singles(bits: Ids) -> Singles:
    """Return the numbers (n,) of single precision with these bits."""
    return np.ascontiguousarray(bits).view(np.float32)
