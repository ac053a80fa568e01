"""The outcome of a comparison as tables: systems, how they differ, the sentences that do most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campanula.stages.comparing.comparison import Comparison, Difference, Result
from campanula.stages.comparing.table import (
    EMPTY,
    Cell,
    MetricTable,
    TableColumn,
    number,
    probability,
    words,
)

SYSTEM = (
    TableColumn("system", "system", text=True),
    TableColumn("files", "files"),
    TableColumn("mean", "mean"),
    TableColumn("sd", "sd"),
    TableColumn("95 % from", "low"),
    TableColumn("to", "high"),
)
PAIR = (TableColumn("system", "system", text=True), TableColumn("against", "against", text=True))
DIFFERENCE = (
    TableColumn("diff", "difference"),
    TableColumn("differ", "differing"),
    TableColumn("bootstrap p", "bootstrap_p"),
    TableColumn("randomisation p", "randomisation_p"),
    TableColumn("Holm p", "holm_p"),
)


def tables_of(comparisons: Sequence[Comparison], all_pairs: bool = False) -> Iterator[MetricTable]:
    """Yield one table a metric, with differences to the first system.

    all_pairs: two tables a metric, of the systems and of all their pairs.
    """
    for comparison in comparisons:
        remark = "" if comparison.higher_is_better else "lower is better"
        notes = list(_notes(comparison))
        name = comparison.metric
        signature = comparison.signature
        if all_pairs:
            systems = [_system(comparison, result) for result in comparison.results]
            yield MetricTable("systems", name, signature, SYSTEM, systems, remark)
            pairs = [_pair(comparison, difference) for difference in comparison.differences]
            if pairs:
                yield MetricTable(
                    "pairs", name, signature, (*PAIR, *DIFFERENCE), pairs, remark, notes
                )
        else:
            rows = list(_against_the_first(comparison))
            yield MetricTable(
                "systems", name, signature, (*SYSTEM, *DIFFERENCE), rows, remark, notes
            )


def _against_the_first(comparison: Comparison) -> Iterator[list[Cell]]:
    first, *others = comparison.results
    yield [*_system(comparison, first), *[EMPTY] * len(DIFFERENCE)]
    for result, difference in zip(others, comparison.differences, strict=True):
        yield [*_system(comparison, result), *_difference(comparison, difference)]


def _system(comparison: Comparison, result: Result) -> list[Cell]:
    shown = f".{comparison.digits}f"
    return [
        words(result.system),
        number(len(result.values), "d"),
        number(result.mean, shown),
        number(result.deviation, shown),
        *(number(end, shown) for end in result.interval),
    ]


def _pair(comparison: Comparison, difference: Difference) -> list[Cell]:
    names = [words(difference.second), words(difference.first)]
    return [*names, *_difference(comparison, difference)]


def _difference(comparison: Comparison, difference: Difference) -> list[Cell]:
    chance = difference.chance
    several = len(comparison.differences) > 1
    return [
        number(difference.value, f"+.{comparison.digits}f"),
        number(chance.differing, "d"),
        probability(chance.bootstrap),
        probability(chance.randomisation),
        probability(difference.holm) if several else EMPTY,
    ]


def _notes(comparison: Comparison) -> Iterator[str]:
    """Yield a note for each difference whose randomisation p is exact."""
    for difference in comparison.differences:
        if difference.chance.exact:
            pair = f"{difference.second} against {difference.first}"
            count = difference.chance.differing
            what = "1 sentence differs" if count == 1 else f"{count} sentences differ"
            yield f"{pair}: {what}; randomisation p is exact, over all ways to swap them"
