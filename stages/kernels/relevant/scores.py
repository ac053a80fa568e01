"""Scores of a sentence's hypotheses under the weights of its own features, compiled."""

from __future__ import annotations

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Room, Sets


@njit(**LEAN)
def gather(sets: Sets, i: Index, u: Floats, own: Floats) -> None:
    """Write the weights of the features of sentence i to own."""
    start = sets.table_pointer[i]
    for k in range(sets.table_pointer[i + 1] - start):
        own[k] = u[sets.table[start + k]]


@njit(**LEAN)
def score_row(sets: Sets, j: Index, own: Floats) -> float:
    """Score of hypothesis j: its valued features, then its binary ones, by their ids."""
    total = 0.0
    for e in range(sets.valued_pointer[j], sets.valued_pointer[j + 1]):
        total += own[sets.valued_code[e]] * sets.value[e]
    for e in range(sets.binary_pointer[j], sets.binary_pointer[j + 1]):
        total += own[sets.binary_code[e]]
    return total


@njit(**LEAN)
def score_rows(sets: Sets, i: Index, own: Floats, score: Floats) -> None:
    """Write the scores of the hypotheses of sentence i."""
    first = sets.pointer[i]
    for j in range(first, sets.pointer[i + 1]):
        score[j - first] = score_row(sets, j, own)


@njit(**LEAN)
def score_sets(sets: Sets, u: Floats, room: Room, score: Floats) -> None:
    """Write the scores of all hypotheses to score (n_hyps,)."""
    for i in range(len(sets.pointer) - 1):
        gather(sets, i, u, room.own)
        score_rows(sets, i, room.own, score[sets.pointer[i] : sets.pointer[i + 1]])
