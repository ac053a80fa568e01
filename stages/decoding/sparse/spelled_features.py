"""Steps of derivations with their words, from which names of features are built."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.name_parsing import answered, bytes_of

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.texts import Spelling
    from campanula.stages.kernels.sparse.steps import DerivationSteps

AnyInts = NDArray[np.integer]


class SpelledSteps(NamedTuple):
    """Steps of a sentence's derivations, and the spelling of its source and target words."""

    steps: DerivationSteps
    source: Spelling
    target: Spelling

    def names(self, row: Ids) -> tuple[Bytes, Ints]:
        """Return the names of features as one text, and where each begins (n + 1,).

        row (n, 5): as in sparse.steps.FiredRows.
        """
        from campanula.stages.kernels.sparse.spelling import spell_names

        return answered(lambda rules: spell_names(row, *self, rules))


def spelling_of(words: Texts) -> Spelling:
    """Return the spelling of words that are numbered in their order."""
    from campanula.stages.kernels.graph.texts import Spelling

    return Spelling(
        bytes_of(words.blob), words.pointer, np.zeros(0, np.uint8), np.zeros(1, np.int64)
    )


class StepWords(NamedTuple):
    """The words of steps: fields of these names in kernels.sparse.steps.DerivationSteps."""

    info: Ids
    word: Ids
    source: Ints
    mark: Ints


def steps_of(
    offset: Ints, blocks: tuple[AnyInts, AnyInts, AnyInts], words: StepWords
) -> DerivationSteps:
    """Return the steps of derivations; derivation h has the steps offset[h] to offset[h + 1].

    blocks: option (m,) of each step, its first source word and the word after its last.
    """
    from campanula.stages.kernels.sparse.steps import DerivationSteps

    hyp = np.repeat(np.arange(len(offset) - 1), np.diff(offset))
    option, start, end = (column.astype(np.int64, copy=False) for column in blocks)
    return DerivationSteps(hyp, option, start, end, *words)
