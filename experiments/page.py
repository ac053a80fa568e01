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
from typing import Any

from experiments import charts
from experiments.tables import Table, markdown, read

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "experiments.md"
FIGURES = PAGE.parent / "experiments"
RESULTS = HERE / "results"
PAPERS = HERE / "papers"
NOTE = "<!-- Made by `make -C experiments page` of experiments/page.in: change that. -->"

NO_DIFFERENCE = 0.05
"""A smaller difference is none: the papers' values have one digit, and would not show it."""

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
        here = difference(ours, finding["ours"])
        its = difference(paper, finding["paper"]) if paper and "paper" in finding else None
        shown = "" if its is None else f"{its:+.2f}"
        if here is not None and ("paper" not in finding or its is not None):
            yield f"| {finding['finds']} | {shown} | {here:+.2f} | {verdict(finding, here)} |"
        elif ours.unfinished and here is None:
            yield f"| {finding['finds']} | {shown} | | not measured yet |"
        else:
            raise SystemExit(f"findings.json: {finding['finds']}: a table lacks a cell of it")


def verdict(finding: Finding, difference: float) -> str:
    """Whether a difference agrees: positive, or within the bound of a finding that has one."""
    # judged as it is shown: two rows of +0.05 are not to differ in their verdict
    shown = round(difference, 2)
    if "within" in finding:
        return "agrees" if abs(shown) <= finding["within"] else "does not"
    if abs(shown) < NO_DIFFERENCE:
        return "no difference"
    return "agrees" if shown > 0.0 else "does not"


def difference(table: Table, cells: Sequence[str]) -> float | None:
    """Value of a cell less that of another; cells: row, column, other row, other column."""
    row, column, base, other = cells
    values = [table.number(row, column), table.number(base, other)]
    return None if values[0] is None or values[1] is None else values[0] - values[1]


def main() -> None:
    """Write the page and its figures."""
    FIGURES.mkdir(exist_ok=True)
    template = (HERE / "page.in").read_text(encoding="utf-8")
    text = "\n".join(lines_of(template))
    PAGE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
