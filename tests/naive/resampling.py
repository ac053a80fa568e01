"""Randomisation by enumeration: every way to deal out the outputs of every sentence."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

Stats = Sequence[int]


def total(rows: Sequence[Stats]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def p_of_all_deals(
    pool: Sequence[Sequence[Stats]], first: int, value: Callable[[Stats], float]
) -> float:
    """Share of deals whose difference is above the one found; the first outputs are system 1's."""

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
    return sum(difference > found for difference in chance) / len(chance)
