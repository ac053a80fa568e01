"""A run is redone from its run.json: the same bytes, or one line that says why not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from campanula import rerun
from campanula.pipelines import tune
from tests.pipelines import tiny


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of a run that was started in tmp_path, with relative paths."""
    monkeypatch.chdir(tmp_path)
    flags = [os.path.relpath(w, tmp_path) if w.startswith("/") else w for w in tiny.write(tmp_path)]
    assert tune.main(["mert", *flags, "--iterations", "2", "-q", "--work-dir", "run"]) == 0
    monkeypatch.chdir("/")
    return tmp_path / "run"


def again(run: Path, *flags: str) -> int:
    return rerun.main([os.fspath(run), *flags])


def test_a_run_is_redone(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    assert again(run, "--work-dir", os.fspath(other)) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == f"campanula rerun: dev.out, weights: the same bytes as those of {run}; {other}"
    assert (other / "weights").read_bytes() == (run / "weights").read_bytes()
    assert not (tmp_path / "run" / "earlier-1").exists()
    # a copy of the folder elsewhere, and from there once more
    os.rename(other, tmp_path / "moved")
    assert again(tmp_path / "moved", "-q") == 0
    assert capsys.readouterr().err == ""


def test_changed_data_is_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(tmp_path / "dev.en1", "a") as file:
        file.write(" ")
    assert again(run, "--work-dir", os.fspath(tmp_path / "other")) == 1
    expected = "campanula rerun: dev.en1: this input of the run has changed since"
    advice = "put the old one back, or start `tune` anew"
    assert capsys.readouterr().err == f"{expected}; {advice}\n"
    (tmp_path / "dev.en1").unlink()
    assert again(run) == 1
    assert capsys.readouterr().err.endswith("dev.en1: this input of the run is gone; put it back\n")
    assert not (tmp_path / "other").exists()


def test_a_record_without_results_to_compare(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "results": {}}))
    assert again(run) == 1
    assert "run.json: 'results': expected digests of weights and tra" in capsys.readouterr().err


def test_other_results_are_told(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((run / "run.json").read_text())
    record["results"]["weights"] = "0"
    (run / "run.json").write_text(json.dumps(record))
    assert again(run, "-q") == 1
    assert "run.json: weights: expected the bytes of the first run" in capsys.readouterr().err


def test_paths_may_begin_elsewhere(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((run / "run.json").read_text())
    record["folder"] = "/gone"
    (run / "run.json").write_text(json.dumps(record))
    assert again(run, "-q") == 1
    assert capsys.readouterr().err.startswith("campanula rerun: /gone: ")
    assert again(run, "-q", "--folder", os.fspath(tmp_path)) == 0


def test_what_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert again(tmp_path) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_words_without_work_dir() -> None:
    words = ["mert", "--work-dir", "a", "--k", "1", "--work-dir=b"]
    assert rerun.without_work_dir(words) == ["mert", "--k", "1"]
