"""Parts of the page about sentences: those whose gains differ most, with all of their texts."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from campanula.formats.text.references import References
from campanula.pipelines.reporting import sentences
from campanula.pipelines.reporting.lists import seen
from campanula.pipelines.reporting.materials import SetReported
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.metrics.table import metric_named
from tests.pipelines.reporting.runs import folder, materials

BEFORE = ["a cat", "the dog", "<b>it</b> was"]
AFTER = ["the cat", "the dog", "it was"]
REF = ["the cat", "the dog", "it is"]


def changed() -> SetReported:
    """A set of three sentences: one better, one the same, one with markup in it."""
    (dev, _) = materials("mert", "rampion").sets
    refs = References.of(REF)
    scored = ScoredOutputs.of_texts(metric_named("wer"), [BEFORE, AFTER], refs)
    lines = {"untuned": [BEFORE], "run": [AFTER]}
    kept = {"untuned": 0, "run": 0}
    return replace(dev, source=REF, references=refs, lines=lines, scored=[scored], kept=kept)


def test_those_that_moved_are_ranked_by_how_far() -> None:
    one = changed()
    change = np.abs(one.gains("run") - one.gains("untuned"))
    assert sentences.moved_most(one) == sorted(
        (sid for sid in range(3) if change[sid]), key=lambda sid: (-change[sid], sid)
    )


def test_texts_are_escaped_and_hits_marked_whatever_their_direction() -> None:
    shown = sentences.moved(changed(), None)
    assert "<b>" not in shown
    assert '<dd dir="auto">&lt;b&gt;it&lt;/b&gt; was</dd>' in shown
    assert '<dd dir="auto"><mark class="n1">it</mark> was</dd>' in shown
    assert '<dt>run</dt><dd dir="auto"><mark class="n2">the cat</mark></dd>' in shown


def test_hope_and_fear_of_dev() -> None:
    dev = materials("rampion").sets[0]
    chosen = sentences.moved_most(dev)
    lists = seen(os.fspath(folder() / "rampion"), set(chosen))
    shown = sentences.moved(dev, lists)
    assert shown.count("<dt>hope</dt>") == shown.count("<dt>fear</dt>") == len(chosen)


def test_ngrams_won_and_lost() -> None:
    shown = sentences.ngrams(changed())
    assert "<td><bdi>the cat</bdi></td>" in shown
    same = replace(changed(), lines={"untuned": [BEFORE], "run": [BEFORE]})
    assert sentences.ngrams(same) == ""


def test_one_system_has_nothing_that_moved() -> None:
    alone = replace(changed(), lines={"run": [AFTER]})
    assert sentences.moved(alone, None) == sentences.ngrams(alone) == ""
