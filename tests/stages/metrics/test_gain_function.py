"""A metric of one's own: its gains, its faults, and what the commands do with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.formats.text.references import References
from campanula.stages import compare, optimize, oracle_search, rerank, score_bleu
from campanula.stages.metrics.gain_function import MeanGain
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.table import METRICS, metric_named
from tests.examples import write_kbest
from tests.present import present

LISTS = [["a b c", "x b", "a x x"], ["d", "e f"], ["", "g g", "x x h"]]
REFS = ["a b y", "e f", "g"]
# LM0 likes the first of each list, TM0 the one of the highest gain
ROWS = [
    [{"LM0": 1.0, "TM0": 1.0}, {"LM0": 0.0, "TM0": 0.0}, {"LM0": 0.0, "TM0": 0.5}],
    [{"LM0": 1.0, "TM0": 0.0}, {"LM0": 0.0, "TM0": 1.0}],
    [{"LM0": 1.0, "TM0": 0.0}, {"LM0": 0.0, "TM0": 1.0}, {"LM0": 0.0, "TM0": 0.1}],
]


def prefix(hypothesis: str, references: Sequence[str]) -> float:
    """Share of the words that stand before the first which differs from the reference's."""
    words = hypothesis.split()
    pairs = zip(words, references[0].split(), strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)]) / max(len(words), 1)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a metric that was added."""
    monkeypatch.setattr(METRICS, "_items", dict(METRICS._items))
    METRICS.add("prefix", prefix)
    return "prefix"


def lists() -> list[KBest]:
    names = Names()
    return [
        KBest(sid, Texts.of(texts), Features.of(rows, names), names)
        for sid, (texts, rows) in enumerate(zip(LISTS, ROWS, strict=True))
    ]


def scored_by(metric: Metric) -> list[KBest]:
    return list(Scorer(metric, References.of(REFS)).score(lists()))


def test_statistics_are_the_gain_and_1(own: str) -> None:
    scored = scored_by(metric_named(own))
    pairs = zip(LISTS, REFS, strict=True)
    expected = [[prefix(text, [ref]) for text in texts] for texts, ref in pairs]
    gains = [present(kbest.gain).tolist() for kbest in scored]
    assert gains == [pytest.approx(row) for row in expected]
    assert present(scored[0].stats).tolist() == [[666_666_667, 1], [0, 1], [333_333_333, 1]]
    sums = np.sum([present(kbest.stats)[0] for kbest in scored], axis=0)
    report = metric_named(own).report(sums)
    assert report.value == pytest.approx(np.mean([row[0] for row in expected]))
    assert report.line == "prefix|nrefs:1|case:mixed|tok:none = 0.2222"
    assert metric_named(own).corpus_values(np.array([sums, [0, 0]])).tolist() == [report.value, 0.0]


def test_texts_are_prepared_and_all_references_are_given() -> None:
    seen: list[tuple[str, list[str]]] = []

    def note(text: str, references: Sequence[str]) -> float:
        seen.append((text, list(references)))
        return -3.0

    metric = MeanGain("note", lowercase=True, function=note)
    first = Scorer(metric, References.of(["A B"], ["C"]))(lists()[0])
    assert seen == [(text, ["a b", "c"]) for text in LISTS[0]]
    assert present(first.gain).tolist() == [-3.0] * 3


@pytest.mark.parametrize("value", [1.0001, math.nan, -math.inf])
def test_what_is_no_gain_is_named(value: float) -> None:
    metric = MeanGain("odd", function=lambda text, references: 0.5 if text != "x b" else value)
    problem = f"metric odd: sentence 0: hypothesis 1: expected .* at most 1, found {value}"
    with pytest.raises(DataError, match=problem):
        scored_by(metric)


def test_without_a_function_there_is_no_metric() -> None:
    with pytest.raises(TypeError, match="needs a function"):
        MeanGain("none").gain_of("a", ["b"])


@pytest.fixture
def scored(own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stream that score-bleu has scored by it."""
    monkeypatch.chdir(tmp_path)
    Path("ref").write_text("".join(f"{ref}\n" for ref in REFS))
    Path("w").write_text("LM0 1\nTM0 0.1\n")
    kbest = write_kbest("dev", lists())
    assert score_bleu.main([kbest, "--ref", "ref", "--metric", own, "-q", "-o", "scored"]) == 0
    with Reader("scored", KBest) as reader:
        assert reader.metric == metric_named(own).header()
        assert len(list(reader)) == 3
    return "scored"


@pytest.mark.parametrize(
    "how",
    [
        ["--loss", "cost", "--solver", "line-search"],
        ["--loss", "ramp3", "--solver", "sgd", "--eta", "0.1"],
        ["--loss", "bayes-risk", "--solver", "lbfgs", "--C", "0.01"],
    ],
)
def test_any_loss_tunes_for_it(
    scored: str, how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def value(weights: str) -> float:
        assert rerank.main([scored, "--weights", weights, "-o", "out"]) == 0
        return float(capsys.readouterr().err.partition("prefix|nrefs:1|case:mixed|tok:none = ")[2])

    assert optimize.main([scored, "--weights", "w", *how, "-q", "-o", "tuned"]) == 0
    assert value("w") == pytest.approx(0.2222, abs=5e-5)
    assert value("tuned") == pytest.approx((2 / 3 + 1 + 1 / 2) / 3, abs=5e-5)


def test_batch_mira_needs_bleu(scored: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--weights", "w", "--solver", "batch-mira", "-q", "-o", "tuned"]
    assert optimize.main([scored, *argv]) == 1
    assert "expected statistics of bleu, which batch-mira goes by" in capsys.readouterr().err


def test_oracles_and_comparisons(scored: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert oracle_search.main([scored, "--text", "-o", "oracle"]) == 0
    assert Path("oracle").read_text() == "a b c\ne f\ng g\n"
    assert capsys.readouterr().err.endswith("= 0.2222; oracle: 0.7222\n")
    Path("first").write_text("".join(f"{texts[0]}\n" for texts in LISTS))
    fast = ["--samples", "50", "--trials", "60", "-q"]
    assert compare.main(["first", "oracle", "--ref", "ref", "--metric", "prefix", *fast]) == 0
    signature, _, *rows = capsys.readouterr().out.splitlines()
    assert signature == "prefix|nrefs:1|bs:50|ar:60|seed:12345|case:mixed|tok:none"
    values = [row.split()[:3] for row in rows[:2]]
    assert values == [["first", "1", "0.2222"], ["oracle", "1", "0.7222"]]


def test_an_entry_point_names_it_for_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(METRICS, "_items", dict(METRICS._items))
    (tmp_path / "their_metrics.py").write_text("def half(text, references):\n    return 0.5\n")
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[campanula.metrics]\nhalf = their_metrics:half\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    scored = scored_by(metric_named("half"))
    assert present(scored[2].gain).tolist() == [0.5] * 3


@pytest.mark.parametrize("nothing", [None, "0.5", float("nan"), 2.0])
def test_what_is_no_gain_is_named_with_its_hypothesis(nothing: float | str | None) -> None:
    # not only numbers: the user's function may return anything
    metric = MeanGain("odd", function=lambda text, references: nothing)  # type: ignore[arg-type, return-value]
    with pytest.raises(DataError, match="odd: sentence 0: hypothesis 0: expected a fin"):
        scored_by(metric)
