"""A run to compare: its translations whatever loop made them, references, metric, histories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.comparing.compared_run import ComparedRun, names_of
from campanula.stages.command import UsageError
from tests.pipelines.comparing.folders import GOOD, write_history, write_lines, write_run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(outputs: list[str], *sets: str, **settings: Any) -> ComparedRun:
    refs = {name: write_lines(Path(f"{name}.ref"), GOOD) for name in sets}
    write_run(Path("run"), dict.fromkeys(outputs, GOOD), refs, **settings)
    return ComparedRun.open("run", "run")


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["dev.out"], ["dev.out"]),
        (["dev.out", "dev.1.out", "dev.10.out", "dev.2.out"], ["dev.1", "dev.2", "dev.10"]),
        (
            ["dev.out", "replicate-10/dev.out", "replicate-9/dev.out"],
            ["replicate-9/dev.out", "replicate-10/dev.out"],
        ),
    ],
)
def test_translations_are_those_of_the_run_or_of_its_replicates(
    files: list[str], found: list[str]
) -> None:
    paths = run(files, "dev").outputs("dev").paths
    assert [path.removesuffix(".out") for path in paths] == [
        os.path.join("run", path.removesuffix(".out")) for path in found
    ]


def test_a_set_may_have_a_number_in_its_name() -> None:
    one = run(["dev.out", "test.out", "test.1.out"], "dev", "test", "test.1")
    assert one.outputs("test").paths == ("run/test.out",)
    assert one.outputs("test.1").paths == ("run/test.1.out",)


def test_what_is_no_run_or_not_done() -> None:
    with pytest.raises(DataError, match=r"none: expected the folder of a run of `tune`, found"):
        ComparedRun.open("none", "none")
    with pytest.raises(DataError, match=r"run: expected translations dev\.out, found none"):
        run([], "dev").outputs("dev")
    Path("bare").mkdir()
    with pytest.raises(DataError, match=r"with run\.json, found none"):
        ComparedRun.open("bare", "bare")
    assert ComparedRun.open("bare", "bare", needs_record=False).sets == []


def test_references_are_what_the_run_has_read() -> None:
    one = run(["dev.out"], "dev")
    assert one.refs("dev") == (os.path.abspath("dev.ref"),)
    write_lines(Path("dev.ref"), GOOD[::-1])
    problem = r"dev.ref: has changed since run was made: restore it, or tune again; `tune compare "
    with pytest.raises(DataError, match=problem):
        one.refs("dev")


def test_the_metric_is_the_runs() -> None:
    assert str(run([], metric="wer", lowercase=True).metric()) == (
        "metric:wer|gain:1-wer|nrefs:1|case:lc|tok:none"
    )
    assert run([], metric=None, tokenize="13a").metric().tokenize == "13a"
    assert run([], metric="gain-column").metric().name == "bleu"


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(DataError, match=r"run\.json: settings: no metric is called 'zz'; t"):
        run(["dev.out"], "dev", metric="zz").metric()


def test_a_set_without_references() -> None:
    one = run(["dev.out"], "dev")
    assert one.record is not None
    one.record.sets["dev"]["refs"] = []
    with pytest.raises(DataError, match=r"run\.json: expected references of dev, found none"):
        one.refs("dev")


def test_histories_of_a_run_or_of_its_replicates() -> None:
    one = run([])
    assert one.histories() == []
    write_history(Path("run"), 1.0, 2.0)
    assert [len(history) for history in one.histories()] == [3]
    for seed in (10, 9):
        write_history(Path("run", f"replicate-{seed}"), *range(seed))
    assert [len(history) for history in one.histories()] == [10, 11]
    assert one.folders == ["run/replicate-9", "run/replicate-10"]
    Path("run/replicate-9/history.jsonl").write_text("{}\n")
    with pytest.raises(DataError, match="run: expected the history of a run of `tune`"):
        one.histories()


def test_runs_are_called_as_their_folders_are() -> None:
    assert names_of(["a/mert/", "a/pro"]) == ["mert", "pro"]
    assert names_of(["a/run", "b/run"]) == ["a/run", "b/run"]
    with pytest.raises(UsageError, match=r"RUN \./a: given twice"):
        names_of(["a", "./a"])


@pytest.mark.parametrize(
    ("settings", "measured"),
    [
        ({}, "BLEU"),
        ({"metric": "chrf"}, "chrF2"),
        ({"score_command": "comet {gains}"}, "gain"),
        ({"score_command": "chrf {gains}", "metric": "wer"}, "WER"),
    ],
)
def test_what_its_history_measured(settings: dict[str, object], measured: str) -> None:
    assert run(["dev.out"], "dev", **settings).measured == measured
