"""The table of features: ours, and functions that are added."""

import pytest

from campanula.formats.registry import UnknownName
from campanula.stages.hypothesis_features import length
from campanula.stages.hypothesis_features.table import FEATURES


def test_ours() -> None:
    assert list(FEATURES) == ["lm", "column", "length", "score", "field", "ratio", "product"]
    assert FEATURES["length"] is length.FEATURE
    with pytest.raises(UnknownName, match="no feature is called 'lenght'; did you mean length"):
        FEATURES["lenght"]


def test_a_function_becomes_a_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FEATURES, "_items", dict(FEATURES._items))
    FEATURES.add("mine", lambda texts: [0] * len(texts))
    FEATURES.add("theirs", length.FEATURE)
    assert FEATURES["mine"].options == ("source",)
    assert FEATURES["theirs"] is length.FEATURE
    with pytest.raises(TypeError, match="feature no: expected a function, found 3"):
        FEATURES.add("no", 3)
