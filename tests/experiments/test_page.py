"""The page of experiments: it is what its results make, and says what agrees with the papers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from experiments import page
from experiments.tables import Table, read

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_its_results_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FIGURES", tmp_path)
    template = (page.HERE / "page.in").read_text()
    assert "\n".join(page.lines_of(template)) + "\n" == page.PAGE.read_text()
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in (page.PAGE.parent / "experiments").iterdir())


def test_every_table_of_the_makefile_stands_on_the_page() -> None:
    names = re.findall(r"^\{\{([a-z0-9-]+)\}\}$", (page.HERE / "page.in").read_text(), re.M)
    rows = re.findall(r"^\| `((?:rampion|relevant|expected)[a-z0-9-]+)`", readme(), re.M)
    others = {"relevant-set-steps", "relevant-set-corpus", "relevant-set-eightfold"}
    assert sorted(names) == sorted(set(rows) - others)


def readme() -> str:
    return (page.HERE / "README.md").read_text()


def test_what_was_taken_from_a_page_stands_there() -> None:
    taken = [path for path in page.RESULTS.glob("*.json") if "from" in read(path).made]
    assert taken
    for path in taken:
        table = read(path)
        numbers = set(
            re.findall(
                r"\d+(?:\.\d+)?", (ROOT / "docs" / table.made["from"]).read_text().replace(",", "")
            )
        )
        for row, cells in json.loads(path.read_text())["values"].items():
            for column, cell in cells.items():
                for value in re.findall(r"\d+(?:\.\d+)?", json.dumps(cell)):
                    shown = {
                        value,
                        value.removesuffix(".0"),
                        f"{float(value):.1f}",
                        f"{float(value):.2f}",
                        f"{float(value):.4f}",
                    }
                    assert shown & numbers, f"{path.name}: {row}, {column}: {value}"


PAPER = Table("", ["avg"], {"a": {"avg": "36.8 (0.1)"}, "b": {"avg": [36.5]}})
OURS = Table("", ["avg"], {"a": {"avg": [40.0, 41.0]}, "b": {"avg": [40.75]}})


@pytest.mark.parametrize(
    ("finding", "end"),
    [({}, "+0.30 | -0.25 | does not |"), ({"within": 0.5}, "+0.30 | -0.25 | agrees |")],
)
def test_a_finding_agrees_by_its_sign_or_by_its_size(finding: dict[str, float], end: str) -> None:
    cells = ["a", "avg", "b", "avg"]
    one = {"finds": "a is above b", "paper": cells, "ours": cells, **finding}
    *_, line = page.agreement([one], PAPER, OURS)
    assert line == f"| a is above b | {end}"


@pytest.mark.parametrize(
    ("finding", "value", "says"),
    [
        ({}, 0.05, "agrees"),
        ({}, 34.68 - 34.67, "no difference"),
        ({}, -0.049, "does not"),
        ({}, -0.04, "no difference"),
        ({"within": 0.1}, 33.3 - 33.2, "agrees"),  # 0.09999999999999432
        ({"within": 0.1}, 16.3 - 16.2, "agrees"),  # 0.10000000000000142
        ({"within": 0.1}, -0.11, "does not"),
    ],
)
def test_a_verdict_is_that_of_the_difference_that_is_shown(
    finding: dict[str, float], value: float, says: str
) -> None:
    assert page.verdict(finding, value) == says


def test_the_papers_own_values_agree_with_their_findings() -> None:
    findings = json.loads((page.HERE / "findings.json").read_text())
    papers = [one for one in findings if "paper" in one]
    assert papers
    for one in papers:
        its = page.difference(read(page.PAPERS / f"{one['table']}.json"), one["paper"])
        assert its is not None, one
        assert page.verdict(one, its) == "agrees", one


def test_what_is_better_when_low_and_an_oracle_are_not_in_bold() -> None:
    low = {"expected-bleu-efficiency": "GB", "relevant-set-table5": "train"}
    assert [read(page.PAPERS / f"{name}.json").best(c) for name, c in low.items()] == [None, None]


def test_what_is_not_measured_yet_is_said_of_an_unfinished_table() -> None:
    cells = ["a", "avg", "b", "avg"]
    ours = Table("", ["avg"], {"a": {"avg": [40.0]}}, unfinished={"b": "7 iterations"})
    *_, line = page.agreement([{"finds": "x", "paper": cells, "ours": cells}], PAPER, ours)
    assert line == "| x | +0.30 | | not measured yet |"


def test_a_finding_of_a_cell_that_is_not_there_is_refused() -> None:
    one = {"finds": "x", "paper": ["a", "avg", "c", "avg"], "ours": ["a", "avg", "b", "avg"]}
    with pytest.raises(SystemExit, match="x"):
        list(page.agreement([one], PAPER, OURS))
