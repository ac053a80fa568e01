"""N-gram counts of a training text, for the language models that estimate-lm made of it.

The counts from which an interpolated model is computed, indexed as its automaton is: from these a
sentence can be left out (kernels/lm/left_step.py).  They are counted once, and then mapped from the
cache folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arpa.reader import MAX_ORDER
from campanula.formats.arrays.columns import CONTEXT, LOWER, UNIGRAM_TARGET
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.model.array_folder import Arrays, kept_arrays, write_arrays
from campanula.formats.model.automaton import END_WORD, START_STATE, UNKNOWN_WORD, Automaton
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.language_models import Lexicon
from campanula.formats.model.model import Model
from campanula.formats.text.corpus import SPECIALS, read_corpus, refuse_reserved
from campanula.formats.text.parts import TextLines
from campanula.stages.decoding.left_out.estimated_model import (
    HINT,
    ModelComparison,
    ModelPart,
    Placed,
    model_parts,
    placed,
)
from campanula.stages.decoding.left_out.training_text import counts_entry
from campanula.stages.kernels.lm.left_records import BELOW, MORE, ROW_OF_DISCOUNT, TOTAL

if TYPE_CHECKING:
    from campanula.stages.kernels.lm.kneser_ney import Counts, Specials
    from campanula.stages.kernels.lm.left_records import CountedNgrams

LAYOUT = 1  # version of the arrays; entries of another version are not read
MOST = (1 << 31) - 1  # words with <s> and </s>, so that counts fit 32 bits


def training_ngrams(
    model: Model, lms: Sequence[LanguageModelFile], text: str, cache: str | None = None
) -> CountedNgrams:
    """Return the n-gram counts of the text from which a model's language models were estimated.

    lms: files of the language models; text: the target side.  Raises DataError for a model that
    estimate-lm does not make of this text.
    """
    from campanula.stages.kernels.lm.left_records import CountedNgrams

    assert model.lm is not None
    folder = counts_entry("ngrams", LAYOUT, model, [text], cache)
    arrays: Any = kept_arrays(folder)
    if arrays is None:
        counted = _Counted(model.lm.automaton, text)
        parts = model_parts(model.lm.automaton)
        for part, file, words in zip(parts, lms, model.lm.lexicons, strict=True):
            counted.add(part, file, words)
        arrays = write_arrays(counted.arrays, folder)
    return CountedNgrams(*(arrays[name] for name in CountedNgrams._fields))


class _Counted:
    """Arrays of CountedNgrams; the models of an automaton are added one by one."""

    def __init__(self, automaton: Automaton, text: str) -> None:
        self._automaton = automaton
        self._name = display_name(text)
        self._corpus = read_corpus(TextLines(text), self._name)
        n_words = len(self._corpus.token) + 2 * len(self._corpus)
        if not 0 < n_words <= MOST:
            problem = f"expected sentences of 1 to {MOST} words in all, found {n_words}"
            raise DataError(self._name, None, problem)
        n_lms = len(automaton.special)
        self.arrays: Arrays = {
            "adjusted": np.zeros(len(automaton.table), np.int32),
            "times": np.zeros(len(automaton.table), np.int32),
            "unigram": np.zeros(len(automaton.unigram), np.int32),
            "context": np.zeros((len(automaton.state), 6), np.int32),
            "discount": np.zeros((n_lms * MAX_ORDER, 4)),
            "uniform": np.zeros(n_lms),
            "order": np.zeros(n_lms, np.int64),
            "first": np.zeros(n_lms, np.int64),
        }

    def add(self, part: ModelPart, file: LanguageModelFile, words: Lexicon) -> None:
        """Count the n-grams of a model; raises DataError if it was not estimated from the text."""
        from campanula.stages.kernels.lm import kneser_ney

        comparison = ModelComparison(self._automaton, part, file.path, self._name)
        token = self._tokens(part, file, words)
        specials = self._specials(part, token, comparison)
        levels = kneser_ney.counted(
            token, self._corpus.start, part.n_words, specials, part.order, with_times=True
        )
        # what the model was estimated with, checked n-gram by n-gram before its counts are trusted
        places = placed(self._automaton, part, levels)
        orders = kneser_ney.interpolated(levels, specials, kneser_ney.FALLBACK)
        comparison.refuse_others(levels, orders, places, specials.bos)
        self._write(part, levels, places)
        rows = slice(part.number * MAX_ORDER, part.number * MAX_ORDER + len(orders))
        self.arrays["discount"][rows, 1:] = [order.discounts for order in orders]
        # <s> is never predicted, so it has no share of the uniform distribution
        self.arrays["uniform"][part.number] = 1.0 / (part.n_words - 1)
        self.arrays["order"][part.number] = part.order
        self.arrays["first"][part.number] = part.first + specials.bos

    def _tokens(self, part: ModelPart, file: LanguageModelFile, words: Lexicon) -> Ints:
        """Return the words of the text by a model's numbers, counted from its first word.

        Raises DataError for a word that the model lacks.
        """
        corpus = self._corpus
        if file.classes is None:  # else words of the text become classes, and none is special
            for word in SPECIALS:
                if word in corpus.words:
                    refuse_reserved(corpus, corpus.words.index(word), self._name)
        unknown = int(self._automaton.special[part.number, UNKNOWN_WORD])
        place = np.array([words.words.find(word.encode()) for word in corpus.words], np.int64)
        # a word at place -1 reads the number of the last one, which `where` does not take
        number = np.where(place >= 0, words.number[place].astype(np.int64), unknown)
        lacking = (number == unknown)[corpus.token]
        if lacking.any():
            x = int(np.argmax(lacking))
            word = corpus.words[corpus.token[x]]
            line = corpus.sentence_of(x) + 1
            problem = f"expected it, as line {line} of {self._name} has it, found none: {HINT}"
            raise DataError(file.path, f"word '{word}'", problem)
        return number[corpus.token] - part.first

    def _specials(self, part: ModelPart, token: Ints, comparison: ModelComparison) -> Specials:
        """Return the numbers of <unk>, <s> and </s>; DataError for more words not in the text."""
        from campanula.stages.kernels.lm.kneser_ney import Specials

        special = self._automaton.special[part.number]
        unk, eos = (int(special[word]) - part.first for word in (UNKNOWN_WORD, END_WORD))
        seen = np.bincount(token, minlength=part.n_words) > 0
        seen[[unk, eos]] = True  # in every model, whatever the text
        # a model of this text has one word that a corpus does not write out: <s>
        rest = np.flatnonzero(~seen)
        after = self._automaton.unigram[part.first + rest, UNIGRAM_TARGET]
        begins = after == special[START_STATE]
        if len(rest) > 1:
            extra = rest[np.argmin(begins)]
            raise comparison.fault([int(extra)], "none", "it")
        return Specials(unk, int(rest[0]), eos)

    def _write(self, part: ModelPart, levels: Sequence[Counts], places: Sequence[Placed]) -> None:
        """Write the counts of the n-grams of a model to the arrays."""
        arrays = self.arrays
        states = self._automaton.state
        own = part.own
        arrays["context"][own, ROW_OF_DISCOUNT] = part.number * MAX_ORDER + states[own, CONTEXT]
        arrays["context"][own, BELOW] = states[own, LOWER]
        for length, (level, place) in enumerate(zip(levels, places, strict=True), 1):
            if length == 1:
                arrays["unigram"][place.at] = level.count
            else:
                arrays["adjusted"][place.at] = level.count
                arrays["times"][place.at] = level.times
            # n-grams are sorted by their contexts, so sums over a context are over a span
            first = np.flatnonzero(np.append(True, np.diff(level.prefix) != 0))
            kinds = (level.count, level.count == 1, level.count == 2, level.count >= 3)
            sums = [np.add.reduceat(kind.astype(np.int64), first) for kind in kinds]
            arrays["context"][place.before[first], TOTAL : MORE + 1] = np.array(sums).T
