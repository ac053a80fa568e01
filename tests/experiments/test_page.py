"""The page of experiments: it is what its results make, and says what agrees with the papers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from campanula.pipelines import tune
from experiments import page
from experiments.tables import Table, read


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
    ("finding", "values", "digits", "says"),
    [
        ({}, (40.05, 40.0), 2, "+0.05 | agrees"),
        ({}, (34.68, 34.67), 2, "+0.01 | no difference"),
        ({}, (40.0, 40.049), 2, "-0.05 | does not"),
        ({}, (40.0, 40.04), 2, "-0.04 | no difference"),
        ({}, (33.6, 33.7), 1, "-0.1 | no difference"),  # 33.649 and 33.651 would show so, too
        ({}, (33.8, 33.6), 1, "+0.2 | agrees"),
        ({"within": 0.1}, (33.3, 33.2), 2, "+0.10 | agrees"),  # 0.09999999999999432
        ({"within": 0.1}, (16.3, 16.2), 2, "+0.10 | agrees"),  # 0.10000000000000142
        ({"within": 0.1}, (40.0, 40.11), 2, "-0.11 | does not"),
    ],
)
def test_a_verdict_is_that_of_the_difference_that_is_shown(
    finding: dict[str, float], values: tuple[float, float], digits: int, says: str
) -> None:
    rows = {row: {"x": [value]} for row, value in zip("ab", values, strict=True)}
    table = Table("", ["x"], rows, digits={"x": digits})
    one = {"finds": "f", "ours": ["a", "x", "b", "x"], **finding}
    *_, line = page.agreement([one], None, table)
    assert line == f"| f |  | {says} |"


def test_a_difference_may_be_a_column_or_begin_in_another_table_of_the_paper() -> None:
    table = Table("", ["gain"], {"a": {"gain": [0.14]}})
    assert page.difference(["a", "gain"], table) == page.Difference(0.14, 2)
    one = {
        "finds": "f",
        "from": "relevant-set-table7",
        "paper": ["costmargin", "test BLEU", "costmargin", "test BLEU"],
    }
    paper = read(page.PAPERS / "relevant-set-table8.json")
    assert page.papers_difference(one, paper) == page.Difference(1.9, 1)  # 44.8 - 42.9


def test_the_papers_own_values_agree_with_their_findings() -> None:
    findings = json.loads((page.HERE / "findings.json").read_text())
    papers = [one for one in findings if (page.PAPERS / f"{one['table']}.json").exists()]
    assert papers
    for one in papers:
        its = page.papers_difference(one, read(page.PAPERS / f"{one['table']}.json"))
        assert its is not None, one
        assert abs(its.value) <= one["within"] if "within" in one else its.value > 0.0, one


@pytest.mark.parametrize(
    ("loop", "settings"),
    [("rampion", (20, 500, 0)), ("mert", (25, 100, 5)), ("pro", (30, 1500, 0))],
)
def test_settings_that_the_page_names_are_the_defaults(
    loop: str, settings: tuple[int, int, int]
) -> None:
    words = [loop, "--source", "s", "--ref", "r", "--work-dir", "w", "--phrase-table", "p"]
    args, _ = tune.parser().parse_known_args(words)
    assert (args.iterations, args.k, args.patience) == settings


def test_what_is_better_when_low_and_an_oracle_are_not_in_bold() -> None:
    low = {"expected-bleu-efficiency": "GB", "relevant-set-table5": "train"}
    assert [read(page.PAPERS / f"{name}.json").best(c) for name, c in low.items()] == [[], []]


def test_what_is_not_measured_yet_is_said_of_an_unfinished_table() -> None:
    cells = ["a", "avg", "b", "avg"]
    ours = Table("", ["avg"], {"a": {"avg": [40.0]}}, unfinished={"b": "7 iterations"})
    *_, line = page.agreement([{"finds": "x", "paper": cells, "ours": cells}], PAPER, ours)
    assert line == "| x | +0.30 | | not measured yet |"


def test_an_average_that_one_system_lacks_is_of_the_test_sets_that_both_have() -> None:
    rows = {
        "a": {"x": [40.0], "y": [41.0], "z": [30.0], "avg": [37.0]},
        "b": {"x": [40.5], "y": [41.3]},
    }
    ours = Table("", ["x", "y", "z", "avg"], rows, unfinished={"b": "7 iterations"})
    cells = ["a", "avg", "b", "avg"]
    *_, line = page.agreement([{"finds": "f", "paper": cells, "ours": cells}], PAPER, ours)
    assert line == "| f | +0.30 | -0.40 | does not, of x, y |"


def test_a_finding_of_a_cell_that_is_not_there_is_refused() -> None:
    one = {"finds": "x", "paper": ["a", "avg", "c", "avg"], "ours": ["a", "avg", "b", "avg"]}
    with pytest.raises(SystemExit, match="x"):
        list(page.agreement([one], PAPER, OURS))
