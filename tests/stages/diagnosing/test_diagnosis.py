"""The whole diagnosis: every part is the twin's, in one pass."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.diagnosing.diagnosis import diagnose
from campanula.stages.metrics.wer import Wer
from tests.naive import diagnosis as naive
from tests.plain import plain
from tests.present import present
from tests.stages.diagnosing.test_chosen import lists_of


def doubled(lists, seed):
    """The lists with some of their hypotheses again."""
    rng = np.random.default_rng(seed)
    for kbest in lists:
        yield kbest.take(np.append(np.arange(len(kbest)), rng.integers(0, len(kbest), 2)))


@pytest.mark.parametrize("seed", range(4))
def test_every_part_is_the_twins(seed):
    lists = [*lists_of(seed, 3), *lists_of(seed + 50, 0)]
    lists = list(doubled(lists, seed)) if seed % 2 else lists
    found = diagnose(iter(lists))
    as_plain = [plain(kbest) for kbest in lists]
    lengths = asdict(found.lengths)
    counts = {"lists": len(lists), "hypotheses": sum(map(len, lists))}
    for key, value in (counts | naive.lengths(as_plain)).items():
        assert lengths.pop(key) == (pytest.approx(value) if isinstance(value, dict) else value)
    assert lengths == {}
    choices = naive.choices(as_plain)
    assert [choice.name for choice in found.choices] == list(choices)
    assert [choice.rank for choice in found.choices] == [one["rank"] for one in choices.values()]
    curve = naive.oracle_gains(as_plain)
    assert {o.k: o.value.gain for o in found.oracles} == pytest.approx(curve)
    features = naive.features(as_plain, list(lists[0].names))
    assert {line.name: line.lowest for line in found.features} == {
        name: feature["lowest"] for name, feature in features.items()
    }
    assert found.others is None


def test_by_a_metric_and_by_patterns():
    lists = [
        replace(kbest, stats=np.stack([[j, 3] for j in range(len(kbest))])) for kbest in lists_of(3)
    ]
    found = diagnose(lists, Wer(), ["LM*"])
    assert [line.name for line in found.features] == ["LM0"]
    assert present(found.others).features == len(lists[0].names) - 1
    assert found.oracles[0].value.metric == found.oracles[-1].value.metric == 0.0
    with pytest.raises(DataError, match="k: expected a feature that --feature TM0 matches"):
        diagnose(lists, Wer(), ["TM0"], "k")


def test_no_lists():
    found = diagnose([])
    assert (found.lengths.lists, found.lengths.size) == (0, None)
    assert (found.choices, found.oracles, found.features, found.others) == ([], [], [], None)
