"""Word edits in obvious recursion; the twin of the kernel."""

from __future__ import annotations

from functools import cache


def edit_distance(one: list[str], other: list[str]) -> int:
    """Insertions, deletions and substitutions from one sequence to the other."""

    @cache
    def distance(i: int, k: int) -> int:
        if i == 0 or k == 0:
            return i + k
        substituted = distance(i - 1, k - 1) + (one[i - 1] != other[k - 1])
        return min(substituted, distance(i - 1, k) + 1, distance(i, k - 1) + 1)

    return distance(len(one), len(other))


def word_errors(hypothesis: str, references: list[str]) -> list[int]:
    """Edits to the nearest reference and its length; of several as near the longest."""
    hyp, refs = hypothesis.split(), [reference.split() for reference in references]
    edits, length = min((edit_distance(hyp, ref), -len(ref)) for ref in refs)
    return [edits, -length]
