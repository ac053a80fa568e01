"""Dense features by name, by label, and by set."""

from __future__ import annotations

import pytest

from campanula.formats.feature_names.dense import LM_SPLIT, TILLMANN_ZHANG, chosen, names_of

NAMES = ["LM0", "Distortion0", "WordPenalty0", "TranslationModel0_0", "TranslationModel0_1"]
NAMES += ["TranslationModel0_10", "OutboundDistortion0", "InboundDistortion0", *LM_SPLIT]


def test_names_and_labels() -> None:
    assert chosen(["WordPenalty0", "LM0"], NAMES) == ["LM0", "WordPenalty0"]
    assert chosen(["TranslationModel0"], NAMES) == NAMES[3:6]
    assert chosen(["TranslationModel0_1"], NAMES) == ["TranslationModel0_1"]
    assert chosen([], NAMES) == []


def test_sets() -> None:
    assert chosen(["moses"], NAMES) == NAMES[:6]  # those that there are
    assert sorted(chosen(["tillmann-zhang"], NAMES)) == sorted(TILLMANN_ZHANG)
    assert chosen(["tillmann-zhang", "Distortion0"], NAMES)[0] == "Distortion0"


@pytest.mark.parametrize(
    ("asked", "missing"),
    [("LM1", "LM1"), ("TranslationModel", "TranslationModel"), ("tillmann-zhang", "LMFirst0")],
)
def test_what_there_is_not(asked: str, missing: str) -> None:
    with pytest.raises(KeyError) as caught:
        chosen([asked], NAMES[:-2])
    assert caught.value.args == (missing,)


def test_names() -> None:
    assert names_of("LM0", 1) == ["LM0"]
    assert names_of("TM0", 2) == ["TM0_0", "TM0_1"]
    assert names_of(None, 1) == ["F0"]
