"""`report`: a page of runs, the same as `tune --report`; what is no run is one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines import report, tune
from tests.pipelines import tiny
from tests.pipelines.reporting.runs import folder


def test_a_page_of_two_runs(tmp_path: Path) -> None:
    runs = [os.fspath(folder() / name) for name in ("mert", "rampion")]
    paths = [os.fspath(tmp_path / name) for name in ("one.html", "two.html")]
    for path in paths:
        assert report.main([*runs, "-o", path, "--metric", "wer"]) == 0
    one, two = (Path(path).read_bytes() for path in paths)
    assert one == two
    assert b"<title>Tuning: mert, rampion</title>" in one
    assert b"WER (low is good)" in one


def test_tune_writes_the_same_page(tmp_path: Path) -> None:
    run = os.fspath(tmp_path / "run")
    flags = [*tiny.write(tmp_path), "--iterations", "2", "-q", "--work-dir", run, "--report"]
    assert tune.main(["rampion", *flags]) == 0
    again = tmp_path / "again.html"
    assert report.main([run, "-o", os.fspath(again)]) == 0
    assert again.read_bytes() == (tmp_path / "run" / "report.html").read_bytes()


def test_a_text_that_is_a_script_is_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    flags = tiny.write(tmp_path)
    for name in ("phrase-table", "dev.en0"):
        path = tmp_path / name
        path.write_text(path.read_text().replace("hound", evil).replace("dog", evil))
    flags += ["--test", "<b>", *(os.fspath(tmp_path / name) for name in ("dev.de", "dev.en0"))]
    flags += ["--iterations", "2", "-q", "--work-dir", os.fspath(tmp_path / "run"), "--report"]
    assert tune.main(["mert", *flags]) == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert evil not in page
    assert "<b>:" not in page
    assert "BLEU, &lt;b&gt;" in page


def test_what_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page"
    assert report.main([os.fspath(tmp_path), "-o", os.fspath(path)]) == 1
    assert "report: " in (printed := capsys.readouterr().err)
    assert "with run.json, found none" in printed
    assert not path.exists()
