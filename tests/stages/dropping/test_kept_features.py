"""Lists keep the features that stay, with values as they were, whenever names are declared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.dropping.kept_features import KeptFeatures, flags_by_id

ROWS: Sequence[dict[str, float]] = ({"a": 1.0, "b": 2.0}, {"a": 3.0, "c": 4.0, "d": 5.0})


def dropped(stays: frozenset[str] | list[bool]) -> tuple[KeptFeatures, list[list[str]]]:
    """Which features each list of one hypothesis has; the table of names grows on the way."""
    kept = KeptFeatures(stays if isinstance(stays, frozenset) else np.array(stays))
    names = Names()
    lists = []
    for sid, row in enumerate(ROWS):
        features = Features.of([row], names)
        kbest = kept.drop(KBest(sid, Texts.of(["x"]), features, names))
        ids = kbest.features.present()
        lists.append([kbest.names[number] for number in ids.tolist()])
    return kept, lists


@pytest.mark.parametrize("stays", [frozenset({"b", "d", "other"}), [False, True, False, True]])
def test_flags_and_names_choose_the_same(stays: frozenset[str] | list[bool]) -> None:
    kept, lists = dropped(stays)
    assert lists == [["b"], ["d"]]
    assert list(kept.names) == list(kept.names_of(Names())) == ["b", "d"]
    assert len(kept) == 2


def test_flags_by_id_are_as_many_as_the_names() -> None:
    names = Names(["a", "b", "c"])
    assert flags_by_id(np.array([True, False]), names).tolist() == [True, False, False]
