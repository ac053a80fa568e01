"""The tasks of a run: what each is made of, and what changes their digests."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.pipelines.data_set import DataSet
from campanula.pipelines.relevant_set.decodings import Decodings, SetTrainingText
from campanula.pipelines.relevant_set.settings import DecoderFlags, RelevantLoopSettings
from campanula.pipelines.relevant_set.steps import RelevantSetStep, RelevantSetSteps
from campanula.pipelines.scorer import EmbeddedScorer, MetricSettings
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf
from tests.pipelines.arguments import argv_of


@pytest.fixture
def steps(tmp_path: Path) -> RelevantSetSteps:
    cache = Cache(os.fspath(tmp_path))
    train, dev, test = (
        DataSet(name, Leaf(f"{name}.de", name), (Leaf(f"{name}.en", f"{name}e"),))
        for name in ("train", "dev", "x")
    )
    (tmp_path / "w0").write_text("LM0 0\n")
    return RelevantSetSteps(
        cache=cache,
        text=SetTrainingText(train),
        dev=dev,
        tests=(test,),
        decodings=Decodings(cache, DecoderFlags(("--features", "block")), None, True),
        scorer=EmbeddedScorer(MetricSettings()),
        also={"ter": EmbeddedScorer(MetricSettings("ter"))},
        settings=RelevantLoopSettings(optimize=("--eta", "1")),
        origin=Leaf(os.fspath(tmp_path / "w0"), "w0"),
        seeds=(Leaf("seed-1", "1"), Leaf("seed-2", "2")),
    )


def first_step(steps: RelevantSetSteps) -> RelevantSetStep:
    return steps.step(2, steps.start().sets)


def test_training_reads_all_sets_and_begins_anew(steps: RelevantSetSteps) -> None:
    two = first_step(steps)
    truth, sets = steps.start().truth, steps.start().sets
    three = steps.step(3, (*sets, two.added))
    assert truth is not None
    argv = argv_of(three.weights)
    assert argv[:2] == [sets[0].path, two.added.path]
    given = ["--loss", "costmargin", "--truth", truth.path, "--weights", steps.origin.path]
    assert argv[2:] == [
        *given,
        *("--allow-missing", "--seed", "1003", "--eta", "1", "-o", three.weights.path),
        *("--summary", three.weights.path.replace(".weights", ".json"), "--jobs", "1", "-q"),
    ]


def test_seeds_are_two_sets_without_truth(steps: RelevantSetSteps) -> None:
    seeds = replace(steps, settings=RelevantLoopSettings("perceptron", "seeds"))
    start = seeds.start()
    assert start.truth is None
    assert len(start.sets) == 2
    argv = argv_of(seeds.step(3, start.sets).weights)
    assert argv[2:4] == ["--loss", "relevant-perceptron"]
    assert "--truth" not in argv


def test_of_several_outputs_all_are_added_or_the_worst(steps: RelevantSetSteps) -> None:
    several = replace(steps, settings=RelevantLoopSettings(k=10))
    assert first_step(several).added.digest == first_step(several).scored.digest
    worst = first_step(replace(steps, settings=RelevantLoopSettings(k=10, select="violating")))
    assert worst.added.call.work.command == "select-violating"
    assert worst.scored.digest == first_step(several).scored.digest


def test_outputs_are_measured_by_other_metrics(steps: RelevantSetSteps) -> None:
    also = first_step(steps).also
    assert set(also) == {"ter"}
    assert set(also["ter"]) == {"dev", "x"}
    at_end = first_step(replace(steps, settings=RelevantLoopSettings(test_at="end")))
    assert at_end.tests == {}
    assert set(at_end.also["ter"]) == {"dev"}


def test_dev_that_is_trained_on_is_decoded_once(steps: RelevantSetSteps) -> None:
    on_dev = replace(steps, text=SetTrainingText(steps.dev))
    step = first_step(on_dev)
    assert step.dev.digest == step.scored.digest
    left_out = first_step(replace(steps, text=SetTrainingText(steps.dev, Leaf("links", "l"))))
    assert left_out.dev.digest != left_out.scored.digest
    another = replace(steps.dev, name="train", refs=(Leaf("other.en", "o"),))
    step = first_step(replace(steps, text=SetTrainingText(another)))
    assert step.dev.digest != step.scored.digest  # measured by its own references


def test_inventories_are_those_of_what_determines_their_names(steps: RelevantSetSteps) -> None:
    def paths(steps: RelevantSetSteps) -> tuple[str, str]:
        own = RelevantSetSteps.with_inventories(steps, ["LM0"])
        assert own.decodings.inventory is not None
        assert own.inventory is not None
        return own.decodings.inventory.path, own.inventory.path

    start, grown = paths(steps)
    assert start != grown
    other = paths(replace(steps, settings=RelevantLoopSettings(optimize=("--eta", "2"))))
    assert other[0] == start
    assert other[1] != grown
    assert paths(replace(steps, settings=replace(steps.settings, iterations=9))) == (start, grown)
    assert paths(replace(steps, settings=replace(steps.settings, seed=9)))[0] != start
    more = replace(steps.decodings, flags=DecoderFlags(("--features", "jump")))
    assert paths(replace(steps, decodings=more))[0] != start
