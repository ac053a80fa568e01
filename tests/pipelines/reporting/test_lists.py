"""Lists: what each feature decides, by reranking without it; hopes are those of impute-hope."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from campanula.formats.collections.opening import open_lists
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from campanula.pipelines.reporting.lists import seen
from campanula.stages import impute_hope
from campanula.stages.rerank import rerank
from tests.pipelines.reporting.runs import folder


def test_what_features_decide() -> None:
    place = folder() / "rampion"
    found = seen(os.fspath(place), range(4))
    assert found is not None
    weights = Weights.read(os.fspath(place / "weights"))
    expected: Counter[str] = Counter()
    with open_lists(os.fspath(place / "dev.kbest"), KBest) as lists:
        records = list(lists)
    for name in weights:
        without = Weights({**weights, name: 0.0})
        pairs = zip(rerank(records, weights), rerank(records, without), strict=True)
        expected[name] = sum(
            one.features.dense[:, 0].tolist() != other.features.dense[:, 0].tolist()
            for one, other in pairs
        )
    assert found.count == len(records) == 4
    assert {name: found.decided[name] for name in weights} == dict(expected)


def test_hopes_are_those_of_impute_hope(tmp_path: Path) -> None:
    place = folder() / "rampion"
    found = seen(os.fspath(place), {0, 2})
    assert found is not None
    path = os.fspath(tmp_path / "hope")
    lists, weights = os.fspath(place / "dev.kbest"), os.fspath(place / "weights")
    assert impute_hope.main([lists, "--weights", weights, "-o", path, "-q"]) == 0
    with open_lists(path, Hope) as hopes:
        places = {hope.sid: int(hope.index[0]) for hope in hopes}
    with open_lists(lists, KBest) as records:
        texts = {kbest.sid: kbest.text[places[kbest.sid]] for kbest in records}
    assert found.hope == {sid: texts[sid] for sid in (0, 2)}
    assert set(found.fear) == {0, 2}


def test_lists_that_are_gone(tmp_path: Path) -> None:
    assert seen(os.fspath(tmp_path), [0]) is None
