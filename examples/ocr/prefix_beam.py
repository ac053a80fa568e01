"""Texts of a recogniser with a CTC output, by prefix beam search.

Such a recogniser gives a probability of every character, and of none (the blank), for each step
from left to right.  A path collapses to a text: what repeats is one, then the blanks go.  So

    p(text) = sum over the paths that collapse to it of prod_t p_t(path_t)      (Graves et al. 2006)

A prefix keeps apart the paths that end in a blank and those that do not, since a letter after
itself is a second one only where a blank lies between (Hannun et al. 2014, "First-Pass Large
Vocabulary Continuous Speech Recognition using Bi-Directional Recurrent DNNs", Algorithm 1, without
its language model).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEAST = 1e-4
"""Probability below which a character is not tried at a step."""

BEAM = 100


def prefix_beam(steps: Floats, characters: Sequence[str], width: int = BEAM) -> dict[str, float]:
    """Texts, the likeliest first, and the probability of the paths within the beam that give each.

    `steps` (steps, characters) are probabilities; of `characters` the blank is "".
    """
    beam = {"": (1.0, 0.0)}  # of paths that end in a blank, and of those that do not
    for step in steps:
        likely = [(characters[k], float(step[k])) for k in np.flatnonzero(step > LEAST)]
        grown: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for text, (blank, other) in beam.items():
            for character, p in likely:
                if not character:
                    grown[text][0] += (blank + other) * p
                elif text.endswith(character):
                    grown[text][1] += other * p  # the same letter goes on
                    if blank:
                        grown[text + character][1] += blank * p
                else:
                    grown[text + character][1] += (blank + other) * p
        best = heapq.nlargest(width, grown.items(), key=lambda item: sum(item[1]))
        beam = {text: (blank, other) for text, (blank, other) in best}
    return {text: blank + other for text, (blank, other) in beam.items()}
