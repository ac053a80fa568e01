"""Names of lexical features: reversible whatever the words, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.feature_names.lexical import (
    PREFIXES,
    LexicalFeature,
    parse_name,
    read_feature_list,
)
from campanula.formats.feature_names.sparse import WORDS
from tests.strategies import ODD_WORD


@st.composite
def features(draw: st.DrawFn) -> LexicalFeature:
    prefix = draw(st.sampled_from(sorted(PREFIXES)))
    return LexicalFeature(prefix, tuple(draw(ODD_WORD) for _ in range(sum(WORDS[prefix]))))


@given(features())
def test_a_name_says_its_feature(feature: LexicalFeature) -> None:
    assert parse_name(feature.name) == feature
    assert len(feature.name.split()) == 1
    assert not set("=|\n") & set(feature.name)


def test_words_stay_readable() -> None:
    assert LexicalFeature("bigram", ("größer", "50%")).name == "bigram_größer~50%25"
    assert LexicalFeature("pair", (":", "\xa0")).name == "pair_:~~%C2%A0"


def test_a_list_has_comments_and_empty_lines() -> None:
    lines = ["# from train", "", "uni_a", " trigger_not~~but\t", "#"]
    assert read_feature_list(lines, "f") == ["uni_a", "trigger_not~~but"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("LM0", "expected a sparse feature such as"),
        ("uni_a~b", "expected a sparse feature such as"),
        ("bigram_a~", "expected a sparse feature such as"),
        ("bigram_a~~b", "expected a sparse feature such as"),
        ("uni_%41", "expected a sparse feature such as"),
        ("uni_a b", "expected a sparse feature such as"),
        ("pair_", "expected a sparse feature such as"),
        ("uni_a", "for the second time"),
    ],
)
def test_what_is_refused(line: str, problem: str) -> None:
    with pytest.raises(DataError, match=rf"^f: line 2: .*{problem}"):
        read_feature_list(["uni_a", line], "f")
