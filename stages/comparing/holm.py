"""p-values corrected for their number (Holm 1979), so that the smallest is not low by chance.

p'_(i) = max_{j <= i} min(1, (m - j + 1) p_(j))        p_(1) <= ... <= p_(m)
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Return the corrected p-values, in the order of p."""
    corrected = [0.0] * len(p)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        # ranks count from 0, so m - rank is the m - j + 1 above; the maximum keeps the order of p
        highest = max(highest, min(1.0, (len(p) - rank) * p[place]))
        corrected[place] = highest
    return corrected
