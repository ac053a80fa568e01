"""Comparisons of runs are those of `compare` on their translations, data set by data set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.comparing.tables import Terms, common_sets, compare_set, lines, metrics_of
from campanula.stages.command import UsageError
from campanula.stages.comparing.comparison import compare
from campanula.stages.comparing.significance import Sampling
from tests.pipelines.comparing.folders import BAD, GOOD, write_lines, write_run

FEW = Terms(sampling=Sampling(50, 50))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ComparedRun]:
    """Two runs, the second with replicates; dev and test in common."""
    monkeypatch.chdir(tmp_path)
    refs = {name: write_lines(tmp_path / f"{name}.ref", GOOD) for name in ("dev", "test", "more")}
    write_run(Path("a"), {"dev.out": BAD, "test.out": BAD, "more.out": BAD}, refs)
    both = {f"replicate-{seed}/{name}.out": GOOD for seed in (1, 2) for name in ("dev", "test")}
    del refs["more"]
    write_run(Path("b"), both, refs)
    return [ComparedRun.open(name, name) for name in "ab"]


def test_the_numbers_are_those_of_compare(runs: list[ComparedRun]) -> None:
    found = compare_set(runs, "test", None, FEW)
    expected = compare({"a": BAD, "b": [GOOD, GOOD]}, References.of(GOOD), sampling=FEW.sampling)
    assert found.comparisons == expected
    assert [len(system.paths) for system in found.systems] == [1, 2]
    assert found.unlike is None


def test_sets_are_those_of_all_runs_or_what_is_asked_for(runs: list[ComparedRun]) -> None:
    assert common_sets(runs, [], {}) == ["dev", "test"]
    assert common_sets(runs, ["test"], {}) == ["test"]
    assert common_sets(runs, [], {"new": ["x"]}) == ["new"]
    with pytest.raises(UsageError, match="--set more: expected one of dev, test"):
        common_sets(runs, ["more"], {})


def test_other_references_are_refused(runs: list[ComparedRun], tmp_path: Path) -> None:
    refs = {"dev": write_lines(tmp_path / "other.ref", GOOD[::-1])}
    write_run(tmp_path / "c", {"dev.out": GOOD}, refs)
    other = ComparedRun.open("c", "c")
    with pytest.raises(DataError, match="c: expected dev with the references of a, found others"):
        compare_set([runs[0], other], "dev", None, FEW)
    found = compare_set([runs[0], other], "dev", ["dev.ref"], FEW)
    assert found.comparisons[0].results[1].mean == pytest.approx(100)


def test_runs_by_other_metrics_are_compared_by_both(
    runs: list[ComparedRun], tmp_path: Path
) -> None:
    refs = {"dev": str(tmp_path / "dev.ref")}
    write_run(tmp_path / "w", {"dev.out": GOOD}, refs, metric="wer")
    every = [*runs, ComparedRun.open("w", "w")]
    assert [metric.name for metric in metrics_of(every)] == ["bleu", "wer"]
    assert [c.metric for c in compare_set(every, "dev", None, FEW).comparisons] == ["BLEU", "WER"]


def test_formats(runs: list[ComparedRun]) -> None:
    compared = [compare_set(runs, name, None, FEW) for name in ("dev", "test")]
    text = "\n".join(lines(compared, "text", all_pairs=False))
    first, second = text.split("\n\n")
    assert first.startswith("dev: BLEU|nrefs:1|")
    assert second.startswith("test: BLEU|nrefs:1|")
    assert [line.split()[0] for line in second.splitlines()[2:4]] == ["a", "b"]
    (line,) = lines(compared, "json", all_pairs=False)
    objects = json.loads(line)
    assert [one["set"] for one in objects] == ["dev", "test"]
    assert objects[0]["systems"][1]["files"] == ["b/replicate-1/dev.out", "b/replicate-2/dev.out"]
    rows = list(lines(compared, "csv", all_pairs=False))
    assert len(rows) == 1 + 2 * 2
