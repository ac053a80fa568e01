"""p-values in slow loops: every way to deal out the outputs of every sentence; given samples."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

Stats = Sequence[int]
Value = Callable[[Stats], float]

CLOSE = 1e-9  # of two differences that are the same


def total(rows: Sequence[Stats]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def p_of_all_deals(pool: Sequence[Sequence[Stats]], first: int, value: Value) -> float:
    """Share of deals with a difference as large as that found; system 1 has the first outputs."""

    def difference(choice: Sequence[Sequence[int]]) -> float:
        mine = [rows[j] for rows, chosen in zip(pool, choice, strict=True) for j in chosen]
        others = [
            row
            for rows, chosen in zip(pool, choice, strict=True)
            for j, row in enumerate(rows)
            if j not in chosen
        ]
        return abs(value(total(mine)) - value(total(others)))

    ways = [list(itertools.combinations(range(len(rows)), first)) for rows in pool]
    found = difference([tuple(range(first)) for _ in pool])
    chance = [difference(choice) for choice in itertools.product(*ways)]
    return sum(difference >= found - CLOSE for difference in chance) / len(chance)


def p_of_samples(
    first: Sequence[Stats], second: Sequence[Stats], samples: Sequence[Sequence[int]], value: Value
) -> float:
    """Share of samples (and of what was found) as far from the difference as that is from 0."""

    def difference(places: Sequence[int]) -> float:
        return value(total([second[i] for i in places])) - value(total([first[i] for i in places]))

    found = difference(range(len(first)))
    far = [abs(difference(places) - found) >= abs(found) - CLOSE for places in samples]
    return (sum(far) + 1) / (len(far) + 1)
