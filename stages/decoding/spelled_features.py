"""Steps of derivations with their words, of which names of features are built."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.name_parsing import answer, bytes_of, grammar

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.texts import Spelling
    from campanula.stages.kernels.sparse.steps import DerivationSteps

AnyInts = NDArray[np.integer]


class SpelledSteps(NamedTuple):
    """Steps of a sentence's derivations, and how its words and target words are spelled."""

    steps: DerivationSteps
    source: Spelling
    target: Spelling

    def names(self, row: Ids) -> tuple[Bytes, Ints]:
        """Names of features, rows (n, 5) of sparse.steps.FiredRows: text and pointers (n + 1,)."""
        from campanula.stages.kernels.sparse.spelling import spell_names

        rules = grammar()
        text, pointer, known = spell_names(row, *self, rules)
        while not known:
            answer(rules)
            text, pointer, known = spell_names(row, *self, rules)
        return text, pointer


def spelling_of(words: Texts) -> Spelling:
    """Spelling of words that are numbered in their order."""
    from campanula.stages.kernels.graph.texts import Spelling

    return Spelling(
        bytes_of(words.blob), words.pointer, np.zeros(0, np.uint8), np.zeros(1, np.int64)
    )


class StepWords(NamedTuple):
    """Words of steps, as in kernels.sparse.steps.DerivationSteps."""

    info: Ids
    word: Ids
    source: Ints
    mark: Ints


def steps_of(
    offset: Ints, blocks: tuple[AnyInts, AnyInts, AnyInts], words: StepWords
) -> DerivationSteps:
    """Steps of derivations, of which number h has the places offset[h] to offset[h + 1].

    blocks: option (m,), first source word and word after the last.
    """
    from campanula.stages.kernels.sparse.steps import DerivationSteps

    hyp = np.repeat(np.arange(len(offset) - 1), np.diff(offset))
    option, start, end = (column.astype(np.int64) for column in blocks)
    return DerivationSteps(hyp, option, start, end, *words)
