"""Parallel text with word alignments: three files that must fit."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.text.alignments import Alignments
from campanula.formats.text.corpus import Corpus


def refuse_unfit(
    paths: tuple[str, str, str], source: Corpus, target: Corpus, alignments: Alignments
) -> None:
    """Raise DataError unless source, target and alignment, read from `paths`, fit."""
    for path, found in zip(paths[1:], (len(target), len(alignments)), strict=True):
        if found != len(source):
            problem = f"expected {len(source)} lines as in {display_name(paths[0])}, found {found}"
            raise DataError(display_name(path), None, problem)
    refuse_outside(paths[2], np.diff(source.start), np.diff(target.start), alignments)


def refuse_outside(
    path: str, n_source: Ints, n_target: Ints, alignments: Alignments, first: int = 1
) -> None:
    """Raise DataError for a link to a word that is not there.

    n_source and n_target (n,) are the sentences' lengths; their links stand from line `first` on.
    """
    pair = np.repeat(np.arange(len(alignments)), np.diff(alignments.start))
    n_source, n_target = n_source[pair], n_target[pair]
    outside = (alignments.source >= n_source) | (alignments.target >= n_target)
    if outside.any():
        k = int(np.argmax(outside))
        problem = (
            f"expected links between {n_source[k]} and {n_target[k]} words, "
            f"found {alignments.source[k]}-{alignments.target[k]}"
        )
        raise DataError(display_name(path), f"line {pair[k] + first}", problem)
