"""Scoring by `score-bleu`: which flags it is given, and what counts."""

from __future__ import annotations

import os
from pathlib import Path

from campanula.pipelines.scorer import GAIN_COLUMN, SUMMARY, EmbeddedScorer, MetricSettings
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from campanula.stages import score_bleu
from tests.pipelines.arguments import argv_of
from tests.wordnet_folder import write_wordnet

REFS = (Leaf("r1", "2"), Leaf("r2", "3"))


def test_metric_flags_are_those_of_score_bleu() -> None:
    assert MetricSettings().flags() == ["--metric", "bleu", "--tokenize", "none"]
    flags = MetricSettings("bleu", "floor", "0.2", "13a", True).flags()
    args = score_bleu.parser().parse_args(flags)
    assert (args.metric, args.gain, args.smooth_value) == ("bleu", "floor", 0.2)
    assert (args.tokenize, args.lowercase) == ("13a", True)


def test_meteors_wordnet_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn")
    settings = MetricSettings("meteor", meteor=("--meteor-beta", "2.0"), wordnet=folder)
    cache, lists = Cache(os.fspath(tmp_path / "cache")), Leaf("lists", "1")
    task = EmbeddedScorer(settings).scored(cache, lists, Leaf("s", "9"), REFS)
    args = score_bleu.parser().parse_args(argv_of(task))
    assert (args.metric, args.meteor_beta, args.meteor_wordnet) == ("meteor", 2.0, folder)
    (tmp_path / "wn" / "adv.exc").write_text("best well\n")
    other = Cache(os.fspath(tmp_path / "cache"))
    assert EmbeddedScorer(settings).scored(other, lists, Leaf("s", "9"), REFS).path != task.path


def test_a_metric_of_numbers_compares_no_texts() -> None:
    assert MetricSettings("chrf").compares_texts
    assert not MetricSettings(GAIN_COLUMN).compares_texts


def test_the_task(tmp_path: Path) -> None:
    cache, lists = Cache(os.fspath(tmp_path)), Leaf("lists", "1")
    scorer = EmbeddedScorer(MetricSettings("chrf"), 2)
    task = scorer.scored(cache, lists, Leaf("s", "9"), REFS)
    given = ["lists", "--ref", "r1", "--ref", "r2", "--metric", "chrf", "--tokenize", "none"]
    made = ["-o", task.path, "--summary", task.made(SUMMARY).path]
    assert argv_of(task) == [*given, *made, "--jobs", "2", "-q"]
    other = EmbeddedScorer(MetricSettings("chrf"), 1).scored(cache, lists, Leaf("s", "8"), REFS)
    assert other.path == task.path


def test_what_a_metric_says_of_itself() -> None:
    printed = {
        name: (scorer.title, scorer.higher_is_better)
        for name in ("bleu", "wer", "chrf++")
        for scorer in [EmbeddedScorer(MetricSettings(name))]
    }
    assert printed == {"bleu": ("BLEU", True), "wer": ("WER", False), "chrf++": ("CHRF++", True)}
