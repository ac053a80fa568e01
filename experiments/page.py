"""Assemble docs/experiments.md from the stored results, so that no figure is written by hand.

    python -m experiments.page

`page.in` is the text; a line `{{NAME}}` in it is replaced by a table: the paper's
(papers/NAME.json), ours (results/NAME.json, if it has been made), its figure, its command, and
which findings of the paper (findings.json) hold here.  Figures go to docs/experiments/NAME.svg.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from experiments import charts
from experiments.rampion import AVERAGE
from experiments.tables import Table, markdown, read

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "experiments.md"
FIGURES = PAGE.parent / "experiments"
RESULTS = HERE / "results"
PAPERS = HERE / "papers"
NOTE = "<!-- Made by `make -C experiments page` of experiments/page.in: change that. -->"

NO_DIFFERENCE = 0.05
"""A smaller difference is none: the papers' values have one digit, and would not show it.  Of our
values with one digit, 0.1 is none either."""

Finding = Mapping[str, Any]


def lines_of(template: str) -> Iterator[str]:
    """Yield the lines of the page, and draw the figures of its tables."""
    findings = json.loads((HERE / "findings.json").read_text(encoding="utf-8"))
    yield NOTE
    for line in template.splitlines():
        name = re.fullmatch(r"\{\{([a-z0-9-]+)\}\}", line)
        if name is None:
            yield line
        else:
            yield from section(name[1], [one for one in findings if one["table"] == name[1]])


def section(name: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines on a table: the paper's, ours, figure, command, agreement."""
    paper, ours = PAPERS / f"{name}.json", RESULTS / f"{name}.json"
    papers_table = read(paper) if paper.exists() else None
    if papers_table is not None:
        yield from (f"The paper's {papers_table.title}.", "", *markdown(papers_table), "")
    if not ours.exists():
        yield f"Not measured here yet: `make -C experiments {name}`."
        return
    table = read(ours)
    charts.draw(table, str(FIGURES / f"{name}.svg"))
    yield from (f"Ours. {table.title}.", "", *markdown(table), "")
    yield f"![{table.title}](experiments/{name}.svg)"
    yield from ("", made(name, table))
    if findings:
        yield from ("", *agreement(findings, papers_table, table))


def made(name: str, table: Table) -> str:
    """A line on a table: command, data, time and size, unfinished runs, link to all values."""
    parts = [f"`{table.made['command']}`"]
    if "data" in table.made:
        parts.append(table.made["data"])
    if "sentences" in table.made:
        counts = ", ".join(
            f"{count:,} of {set_}" for set_, count in table.made["sentences"].items()
        )
        parts.append(f"sentences: {counts}")
    if "seconds" in table.made:
        hours, size = table.made["seconds"] / 3600, table.made["megabytes"] / 1000
        parts.append(f"{hours:.1f} hours of all steps, {size:.1f} GB")
    if table.unfinished:
        parts.append(table.reach())
    if "from" in table.made:
        parts.append(f"more on [its page]({table.made['from']})")
    signed = " with signatures" if table.signatures else ""
    parts.append(f"[all values{signed}](../experiments/results/{name}.json)")
    return f"{'; '.join(parts)}."


def agreement(findings: Sequence[Finding], paper: Table | None, ours: Table) -> Iterator[str]:
    """Yield a table of the paper's findings: its difference, ours, and whether they agree."""
    yield "| the paper finds | its difference | ours | |"
    yield "|---|---|---|---|"
    for finding in findings:
        its = papers_difference(finding, paper)
        here = difference(finding["ours"], ours, spread="spread" in finding)
        if here is not None and ("paper" not in finding or its is not None):
            cells = f"{signed(its)} | {signed(here)} | {verdict(finding, here)}"
            yield f"| {finding['finds']} | {cells} |"
        # a system without one of the sets has no average: an average over other sets would compare
        # sets and not systems, so it is of those that both have
        elif sets := in_common(finding["ours"], ours):
            here = Difference(round(mean(sets.values()), 2), 2)
            reach = f"{verdict(finding, here)}, of {', '.join(sets)}"
            yield f"| {finding['finds']} | {signed(its)} | {signed(here)} | {reach} |"
        elif ours.unfinished and here is None:
            yield f"| {finding['finds']} | {signed(its)} | | not measured yet |"
        else:
            # nothing is left to measure: the finding names a row or column that a table lacks
            raise SystemExit(f"findings.json: {finding['finds']}: a table lacks a cell of it")


class Difference(NamedTuple):
    """A difference of two values, rounded to the digits that both have."""

    value: float
    digits: int


def difference(
    cells: Sequence[str], table: Table, other: Table | None = None, spread: bool = False
) -> Difference | None:
    """Value of a cell less that of another: row, column, other row, other column.

    Of a row and a column alone their value, of a column that has differences.  other: table of the
    second cell, if it is another one.  spread: of standard deviations in place of values.  None
    where a cell has no number.
    """
    both = [(table, cells[0], cells[1])]
    if len(cells) > 2:
        both.append((other or table, cells[2], cells[3]))
    values = [(of.spread if spread else of.number)(row, column) for of, row, column in both]
    if any(value is None for value in values):
        return None
    # rounded once, below: the difference of two rounded values may be one off in the last digit
    digits = min(of.digits.get(column, 2) for of, _, column in both)
    first, *second = [value for value in values if value is not None]
    return Difference(round(first - sum(second), digits), digits)


def in_common(cells: Sequence[str], table: Table) -> dict[str, float]:
    """Differences of two systems by test set that both have, of cells that are averages."""
    if len(cells) < 4 or {cells[1], cells[3]} != {AVERAGE}:
        return {}
    differences = {}
    for column in table.columns:
        first, second = table.mean(cells[0], column), table.mean(cells[2], column)
        if column != AVERAGE and first is not None and second is not None:
            differences[column] = first - second
    return differences


def papers_difference(finding: Finding, paper: Table | None) -> Difference | None:
    """The paper's difference, `from` another of its tables' cells where the finding names one."""
    if paper is None or "paper" not in finding:
        return None
    if "from" not in finding:
        return difference(finding["paper"], paper, spread="spread" in finding)
    first = read(PAPERS / f"{finding['from']}.json")
    return difference(finding["paper"], first, paper)


def signed(difference: Difference | None) -> str:
    """A difference with its sign and digits; empty for none."""
    return "" if difference is None else f"{difference.value:+.{difference.digits}f}"


def verdict(finding: Finding, difference: Difference) -> str:
    """Whether a difference agrees: positive, or within the bound of a finding that has one."""
    # judged as it is shown: two rows of +0.05 are not to differ in their verdict
    shown = abs(difference.value)
    if "within" in finding:
        return "agrees" if shown <= finding["within"] else "does not"
    # two values whose last digit differs by one may be equal but for their rounding
    if shown < NO_DIFFERENCE or shown <= float(f"1e-{difference.digits}"):
        return "no difference"
    return "agrees" if difference.value > 0.0 else "does not"


def main() -> None:
    """Write the page and its figures."""
    FIGURES.mkdir(exist_ok=True)
    template = (HERE / "page.in").read_text(encoding="utf-8")
    text = "\n".join(lines_of(template))
    PAGE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
