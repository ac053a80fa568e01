"""Groups: of one group the corpus value, of all words the slow F1; nothing is left out."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from campanula.formats.text.references import References
from campanula.pipelines.reporting.groups import FREQUENCIES, by_frequency, by_length, names
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.metrics.table import metric_named


def test_values_of_a_group_are_those_of_its_sentences_alone() -> None:
    rng = random.Random(3)
    refs = [" ".join(rng.choice("abcd") for _ in range(n)) for n in (3, 10, 11, 25, 60, 7)]
    outputs = [" ".join(rng.choice("abcd") for _ in ref.split()) for ref in refs]
    metric = metric_named("wer")
    stats = ScoredOutputs.of_texts(metric, [outputs], References.of(refs)).stats
    found = by_length(metric, [stats], [len(ref.split()) for ref in refs])
    members = {"1 to 10": [0, 1, 5], "11 to 20": [2], "21 to 30": [3]}
    members["41 and more"] = [4]
    assert [(g.name, g.size) for g in found] == [(name, len(m)) for name, m in members.items()]
    for group in found:
        own = stats[members[group.name], 0].sum(axis=0)
        assert group.values == [metric.report(own).value]


def test_replicates_count_with_their_mean() -> None:
    metric = metric_named("wer")
    stats = ScoredOutputs.of_texts(metric, [["a b"], ["a c"]], References.of(["a b"])).stats
    (group,) = by_length(metric, [stats], [2])
    assert group.values == [25.0]


@pytest.mark.parametrize("seed", range(5))
def test_f1_by_frequency_is_that_of_a_slow_reading(seed: int) -> None:
    rng = random.Random(seed)

    def text() -> list[str]:
        return [chr(97 + int(rng.expovariate(0.4)) % 26) for _ in range(rng.randint(1, 8))]

    refs, outputs = [text() for _ in range(20)], [text() for _ in range(20)]
    count = Counter(word for ref in refs for word in ref)
    found = {group.name: group for group in by_frequency(refs, [outputs])}
    assert sum(group.size for group in found.values()) == sum(count.values())
    for low, high, name in zip(
        FREQUENCIES, [*FREQUENCIES[1:], 10**9], names(FREQUENCIES), strict=True
    ):
        chosen = [word for word in count if low <= count[word] < high]
        if not chosen:
            continue
        pairs = list(zip(refs, outputs, strict=True))
        hits = sum(min(r.count(w), o.count(w)) for r, o in pairs for w in chosen)
        produced = sum(o.count(w) for o in outputs for w in chosen)
        wanted = sum(r.count(w) for r in refs for w in chosen)
        assert found[name].values[0] == pytest.approx(200 * hits / (produced + wanted))


def test_names() -> None:
    assert names((0, 1, 3)) == ["0", "1 to 2", "3 and more"]
    assert np.all(list(names(FREQUENCIES)))
