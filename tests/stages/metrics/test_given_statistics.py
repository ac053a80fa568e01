"""Statistics of another program give the gains that our own counting gives."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import score_bleu
from campanula.stages.metrics.given_statistics import GivenStatistics
from campanula.stages.metrics.table import metric_named
from tests.examples import random_lists, write_kbest

METRICS = ["bleu", "wer", "ter", "chrf", "chrf++"]


def write(folder: Path) -> tuple[str, list[str]]:
    """Lists with an empty hypothesis, and the flags of two references."""
    records, _ = random_lists(5, n_lists=4, sparse=False)
    words = ["the", "cat", "sees", "a", "dog"]
    rng = np.random.default_rng(1)
    records = [
        replace(r, text=Texts.of(" ".join(rng.choice(words, 4)) for _ in r.text), gain=None)
        for r in records
    ]
    records[2] = replace(records[2], text=Texts.of(["", *list(records[2].text)[1:]]))
    for name in ("r1", "r2"):
        (folder / name).write_text("".join(f"{' '.join(rng.choice(words, 5))}\n" for _ in range(4)))
    refs = [part for name in ("r1", "r2") for part in ("--ref", os.fspath(folder / name))]
    return write_kbest(folder / "dev.kbest", records), refs


def read(path: Path) -> list[KBest]:
    with Reader(os.fspath(path), KBest) as lists:
        return list(lists)


def score(folder: Path, name: str, *argv: str) -> tuple[list[KBest], object]:
    """Lists and summary of a run."""
    out, summary = folder / name, folder / f"{name}.json"
    argv = (*argv, "-q", "-o", os.fspath(out), "--summary", os.fspath(summary))
    assert score_bleu.main(list(argv)) == 0
    return read(out), json.loads(summary.read_text())


@pytest.mark.parametrize("metric", METRICS)
def test_they_stand_for_our_own(tmp_path: Path, metric: str) -> None:
    lists, refs = write(tmp_path)
    ours, summary = score(tmp_path, "ours", lists, *refs, "--metric", metric)
    with open(tmp_path / "stats", "w") as file:
        for kbest in ours:
            assert kbest.stats is not None
            file.writelines(f"{' '.join(map(str, row))}\n" for row in kbest.stats.tolist())
    given = [*refs, "--metric", metric, "--statistics", os.fspath(tmp_path / "stats")]
    theirs, other = score(tmp_path, "theirs", lists, *given)
    assert other == summary
    for one, two in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one.stats, two.stats)
        np.testing.assert_array_equal(one.gain, two.gain)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1", "expected 2 whole numbers, found '1'"),
        ("1 2 3", "expected 2 whole numbers"),
        ("1 -2", "expected 2 whole numbers"),
        ("1 2.5", "expected 2 whole numbers"),
        ("1 nan", "expected 2 whole numbers"),
        ("1 99999999999999999999", "expected 2 whole numbers"),
        ("", "expected 2 whole numbers, found ''"),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "stats").write_text(f"1 2\n{line}\n")
    with pytest.raises(DataError, match=f"stats: line 2: {words}"):
        GivenStatistics.read(os.fspath(tmp_path / "stats"), metric_named("wer"))


@pytest.mark.parametrize(("count", "words"), [(3, "needs more"), (9, "expected 4 lines")])
def test_a_line_for_every_hypothesis(tmp_path: Path, count: int, words: str) -> None:
    (tmp_path / "stats").write_text("1 2\n" * count)
    given = GivenStatistics.read(os.fspath(tmp_path / "stats"), metric_named("wer"))
    records, _ = random_lists(5, n_lists=1, sparse=False)
    (only,) = records
    text = Texts.of(["a"] * 4)
    record = KBest(0, text, only.features.__class__.of([{}] * 4, only.names), only.names)
    with pytest.raises(DataError, match=words):
        list(given.score([record]))


def test_numbers_have_no_statistics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lists, _ = write(tmp_path)
    argv = [lists, "--metric", "gain-column", "--column", "c", "--statistics", "s"]
    assert score_bleu.main(argv) == 2
    assert "--statistics goes with a metric that compares texts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("metric", "line"),
    [
        ("bleu", "5 5 5 4 3 2 5 4 3 1"),
        ("bleu", "5 5 0 0 0 0 6 4 3 2"),
        ("chrf", " ".join(["5 5 6", *["5 5 5"] * 5])),
        ("chrf", " ".join(["5 4 5", *["5 5 5"] * 5])),
    ],
)
def test_statistics_that_no_text_has_are_refused(tmp_path: Path, metric: str, line: str) -> None:
    path = tmp_path / "stats"
    path.write_text(f"{line}\n")
    with pytest.raises(DataError, match=r"line 1: expected statistics of .* that a text can have"):
        GivenStatistics.read(os.fspath(path), metric_named(metric))
