"""The way to score lists follows from the settings, and each way prices the lists as its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.kbest import KBest
from campanula.stages.command import UsageError
from campanula.stages.command_line.text_flags import TextForm
from campanula.stages.metrics.flags import MetricFlags
from campanula.stages.metrics.pricing import Pricing, ScoreSettings, way_to_score
from campanula.stages.metrics.table import metric_named
from tests.examples import random_lists, write_kbest

WER = metric_named("wer", n_refs=1)
COLUMN = metric_named("gain-column", n_refs=0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lists, _ = random_lists(1, n_lists=2, max_size=3)
    write_kbest(tmp_path / "dev", lists)
    n = sum(map(len, lists))
    (tmp_path / "ref").write_text("a b\n" * 2)
    (tmp_path / "numbers").write_text("0.25\n" * n)
    (tmp_path / "statistics").write_text("1 4\n" * n)
    return tmp_path


def priced(folder: Path, settings: ScoreSettings) -> tuple[Pricing, set[float]]:
    """The pricing, and the gains of all hypotheses."""
    with open_lists(str(folder / "dev"), KBest) as lists:
        pricing = way_to_score(settings)(settings, lists)
        gains = {
            round(float(gain), 9)
            for kbest in pricing.watched(lists)
            if kbest.gain is not None
            for gain in kbest.gain
        }
    return pricing, gains


def test_numbers_and_statistics_of_another_program(folder: Path) -> None:
    by_column = ScoreSettings(MetricFlags(COLUMN, column=str(folder / "numbers")))
    pricing, gains = priced(folder, by_column)
    assert gains == {0.25}
    assert (pricing.likeness, pricing.references, pricing.warning()) == (None, None, None)
    metric = MetricFlags(WER, (str(folder / "ref"),))
    pricing, gains = priced(folder, ScoreSettings(metric, str(folder / "statistics")))
    assert gains == {0.75}
    assert pricing.references is None


def test_references_are_kept_for_workers_and_stand_in_the_signature(folder: Path) -> None:
    settings = ScoreSettings(MetricFlags(WER, (str(folder / "ref"),)))
    pricing, gains = priced(folder, settings)
    assert gains
    assert pricing.references is not None
    assert f"references:{pricing.references.digest()}" in pricing.signature


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (ScoreSettings(MetricFlags(COLUMN), text=TextForm("raw")), "--text-field"),
        (ScoreSettings(MetricFlags(COLUMN), "file"), "--statistics goes with a metric"),
    ],
)
def test_flags_of_texts_need_a_metric_of_texts(settings: ScoreSettings, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        way_to_score(settings)
