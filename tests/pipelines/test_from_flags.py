"""What flags ask for: settings, decoder, scorer, tuner."""

from __future__ import annotations

import argparse
from dataclasses import replace

import pytest

from campanula.pipelines import from_flags, tune
from campanula.pipelines.convergence import Convergence
from campanula.pipelines.decoder import EmbeddedDecoder
from campanula.pipelines.external_decoder import ExternalDecoder
from campanula.pipelines.external_scorer import ExternalScorer
from campanula.pipelines.loops.optimizing import OptimizeFlags
from campanula.pipelines.scorer import EmbeddedScorer, MetricSettings
from campanula.pipelines.settings import Files, LoopSettings, RunSettings
from campanula.stages.command import UsageError

NEEDED = ["--source", "s", "--ref", "r", "--work-dir", "d"]
SCORE = ["--score-command", "x {hypotheses}"]


def parse(*argv: str, loop: str = "mert") -> argparse.Namespace:
    return tune.parser().parse_args([loop, *NEEDED, *argv])


def test_settings() -> None:
    test = ["--test", "a", "s2", "r2", "r3"]
    args = parse(*test, "--seed", "3", "--replicates", "2", "--no-merge", "-q", "--patience", "4")
    loop = LoopSettings(25, 100, False, "best", "each", 3, Convergence(1e-5, 1, 4))
    dev, tests = Files("dev", "s", ("r",)), (Files("a", "s2", ("r2", "r3")),)
    expected = RunSettings("d", dev, tests, replicates=2, quiet=True, loop=loop)
    found = from_flags.settings_of(args)
    assert replace(found, command=expected.command) == expected
    assert found.command.words == tuple(args.words)
    assert found.command.settings["decode"] is not None
    with pytest.raises(UsageError, match="at least one reference"):
        from_flags.settings_of(parse("--test", "a", "s2"))
    with pytest.raises(UsageError, match="that of a file, too, so without /"):
        from_flags.settings_of(parse("--test", "a/b", "s2", "r2"))


def test_loops_have_the_papers_defaults_unless_they_run_to_convergence() -> None:
    assert from_flags.settings_of(parse(loop="rampion")).loop == LoopSettings()
    assert from_flags.settings_of(parse(loop="pro")).loop.k == 1500


def test_what_optimize_is_told() -> None:
    args = parse("--restarts", "3", "--jobs", "2", "--metric", "ter")
    flags = OptimizeFlags(("--restarts", "3"), ("r",), "ter", False, 2)
    assert from_flags.optimize_flags(args) == flags
    assert from_flags.optimize_flags(parse("--allow-missing")).allow_missing
    assert from_flags.optimize_flags(parse("--features", "jump")).allow_missing  # sparse ones


def test_the_decoder() -> None:
    assert isinstance(from_flags.decoder_of(parse("--beam", "5")), EmbeddedDecoder)
    external = ["--decode-command", "x {source}", "--decode-timeout", "3"]
    decoder = from_flags.decoder_of(parse(*external))
    assert isinstance(decoder, ExternalDecoder)
    assert (decoder.command.line, decoder.timeout) == ("x {source}", 3.0)
    assert from_flags.model_of(parse("--beam", "5")) == ["--beam", "5"]
    assert from_flags.model_of(parse(*external)) is None
    with pytest.raises(UsageError, match="--beam is no flag of this loop"):
        from_flags.decoder_of(parse(*external, "--beam", "5"))


def test_the_scorer() -> None:
    ours = from_flags.scorer_of(parse("--metric", "wer", "--tokenize", "13a", "--jobs", "3"))
    assert ours == EmbeddedScorer(MetricSettings("wer", tokenize="13a"), 3)
    plain = from_flags.scorer_of(parse(*SCORE, "--gain-range", "-1", "1", "--score-timeout", "9"))
    assert isinstance(plain, ExternalScorer)
    assert (plain.width, plain.limits, plain.timeout) == (None, (-1.0, 1.0), 9.0)
    assert (plain.title, plain.higher_is_better) == ("MEAN GAIN", True)
    counting = from_flags.scorer_of(parse(*SCORE, "--metric", "ter"))
    assert isinstance(counting, ExternalScorer)
    assert (counting.width, counting.title, counting.higher_is_better) == (2, "TER", False)
