"""Paths of lattices as steps of derivations, from which sparse features are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.records.lattice import Lattice
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.name_parsing import bytes_of
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)
from campanula.stages.kernels.records import LENGTH, PLACE

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths


def lattice_steps(lattice: Lattice, paths: Paths, keys: SparseKeys) -> SpelledSteps:
    """Return the steps of paths: options are the lattice's phrases, words have its numbers."""
    offset, arc = paths
    info = np.zeros((len(lattice.phrase_pointer) - 1, 6), np.int32)
    info[:, LENGTH] = lengths_of(lattice.phrase_pointer)
    info[:, PLACE] = lattice.phrase_pointer[:-1]
    source, target = (
        keys.marks(bytes_of(words.blob), words.pointer) for words in (lattice.source, lattice.word)
    )
    blocks = (lattice.phrase[arc], lattice.start[arc], lattice.end[arc])
    steps = steps_of(offset, blocks, StepWords(info, lattice.phrase_word, source, target))
    return SpelledSteps(steps, spelling_of(lattice.source), spelling_of(lattice.word))
