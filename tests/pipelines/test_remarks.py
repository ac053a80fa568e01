"""Warnings of a run: each comes where it should, and none on clean data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines import remarks, tune
from campanula.pipelines.history import Values
from campanula.pipelines.scorer import EmbeddedScorer, MetricSettings
from tests.pipelines import tiny


@pytest.mark.parametrize(
    ("before", "after", "metric", "comes"),
    [
        (38.8, 21.6, "bleu", True),
        (21.6, 38.8, "bleu", False),
        (38.8, 38.8, "bleu", False),
        (40.0, 45.0, "wer", True),
        (45.0, 40.0, "wer", False),
    ],
)
def test_a_dev_that_got_worse(before: float, after: float, metric: str, comes: bool) -> None:
    scorer = EmbeddedScorer(MetricSettings(metric))
    found = list(remarks.of_tuning(scorer, Values(before), Values(after)))
    assert bool(found) == comes
    if comes:
        values = f"{metric.upper()} {after:.2f}, before {before:.2f}"
        assert found == [f"tuning has made dev worse: {values}; --keep best keeps the best weights"]


def printed(folder: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    """Warnings of a short run."""
    words = ["mert", *tiny.write(folder), "--iterations", "1", *flags]
    assert tune.main([*words, "--work-dir", os.fspath(folder / "run")]) == 0
    return [line for line in capsys.readouterr().err.splitlines() if "warning" in line]


def test_clean_data_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = ["--test", "x", *(os.fspath(tmp_path / name) for name in ("dev.de", "dev.en1"))]
    assert printed(tmp_path, capsys, *again) == []


def test_unknown_words_once_for_all_replicates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.de").write_text("der vogel schläft\nein hund\n")
    (tmp_path / "x.en").write_text("the bird sleeps\na dog\n")
    test = ["--test", "x", *(os.fspath(tmp_path / name) for name in ("x.de", "x.en"))]
    expected = "1 of 5 words are in no phrase pair of the model, and copied as they are"
    assert printed(tmp_path, capsys, *test, "--replicates", "2") == [
        f"tune: warning: x: {expected}",
    ]
    assert printed(tmp_path, capsys, *test, "--iterations", "1", "--seed", "9", "-q") == []


def test_a_run_whose_last_weights_are_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Drawn to weights that are the opposite of the initial ones."""
    flags = tiny.write(tmp_path)
    opposite = [line.split() for line in tiny.WEIGHTS.splitlines()]
    bad = tmp_path / "bad"
    bad.write_text("".join(f"{name} {-float(value)}\n" for name, value in opposite))
    words = ["loss", *flags, "--loss", "bayes-risk", "--solver", "lbfgs", "--iterations", "1"]
    words += ["--keep", "last", "--C", "1e6", "--center", os.fspath(bad)]
    assert tune.main([*words, "--work-dir", os.fspath(tmp_path / "run")]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert line.startswith("tune: warning: tuning has made dev worse: BLEU ")
