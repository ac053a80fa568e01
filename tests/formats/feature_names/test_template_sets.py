"""Sets of templates by name."""

from __future__ import annotations

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.feature_names.template_sets import (
    TEMPLATE_SETS,
    split_features,
    templates_of,
)


def test_sets_hold_templates_that_there_are() -> None:
    for name, members in TEMPLATE_SETS.items():
        assert set(members) <= set(TEMPLATES), name
        assert len(set(members)) == len(members) > 0
        assert name not in TEMPLATES
        assert templates_of(name) == members


def test_all_of_tillmann_and_zhang_is_both_of_its_kinds() -> None:
    kinds = [TEMPLATE_SETS[f"tillmann-zhang-{kind}"] for kind in ("phrase", "word")]
    assert sorted(kinds[0] + kinds[1]) == sorted(TEMPLATE_SETS["tillmann-zhang"])


def test_a_template_is_itself_and_other_names_are_none() -> None:
    assert templates_of("jump") == ("jump",)
    assert templates_of("LM0") == templates_of("") == ()


def test_names_of_a_folder_are_split() -> None:
    names = ["LM0", "wuebker-b", "jump", "tillmann-zhang-word", "moses"]
    templates, dense = split_features(names)
    assert templates == ("word-pair", "jump", "word-pair", "jump", "ngram", "boundary")
    assert dense == ("LM0", "moses")


def test_the_dense_set_of_the_same_name_comes_first_in_a_folder() -> None:
    assert split_features(["tillmann-zhang"]) == ((), ("tillmann-zhang",))
