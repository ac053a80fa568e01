"""Names of sparse features are read back as what they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.feature_names.sparse import (
    PREFIXES,
    TEMPLATES,
    SparseFeature,
    sparse_name,
    split_name,
)
from campanula.formats.weights import Weights

WORD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
PHRASE = st.lists(WORD, max_size=3).map(tuple)


def test_names_are_readable() -> None:
    assert sparse_name("pair", "", ("haus",), ("house",)) == "pair_haus~~house"
    assert (
        sparse_name("block", "", ("das", "Haus"), ("the", "house")) == "block_das~Haus~~the~house"
    )
    assert sparse_name("back", "L", ("das",), ()) == "back_L_das~~"
    assert sparse_name("tlen", "3") == "tlen_3"
    name = sparse_name("trigram", "", ("50%", "a=b|c~d", "x\u00a0y"))
    assert name == "trigram_50%25~a%3Db%7Cc%7Ed~x%C2%A0y"


@given(source=PHRASE, target=PHRASE, turn=st.sampled_from("RLN"))
def test_names_of_phrases_come_back(
    source: tuple[str, ...], target: tuple[str, ...], turn: str
) -> None:
    name = sparse_name("forw", turn, source, target)
    assert not any(c.isspace() or c in "=|," for c in name)
    assert split_name(name) == SparseFeature("forw", turn, (source, target))


@given(source=WORD, target=WORD)
def test_names_of_words_come_back(source: str, target: str) -> None:
    name = sparse_name("pair", "", (source,), (target,))
    assert split_name(name) == SparseFeature("pair", "", ((source,), (target,)))


@given(word=WORD)
def test_a_weights_file_holds_any_name(tmp_path_factory: pytest.TempPathFactory, word: str) -> None:
    path = str(tmp_path_factory.mktemp("w") / "w")
    weights = {sparse_name("uni", "", (word,)): 0.5}
    Weights(weights).write(path)
    assert dict(Weights.read(path)) == weights


@pytest.mark.parametrize(
    "name",
    [
        "LM0",
        "TranslationModel0_0",
        "pair_a",
        "pair_a~~b~~c",
        "block_a",
        "jump_3",
        "jump_-0",
        "jump_+",
        "slen_03",
        "slen_x",
        "orient_M",
        "back_R",
        "uni_a%3d",
        "uni_%61",
        "bigram_a~~b",
        "bigram_a~",
        "trigram_a~b",
        "block_~a~~b",
        "trigger_a",
        "uni_a b",
    ],
)
def test_other_names_are_not_taken_apart(name: str) -> None:
    assert split_name(name) is None


def test_every_template_has_prefixes_of_its_own() -> None:
    shared = [p for template in TEMPLATES.values() for p in template.prefixes if p != "uni"]
    assert sorted(PREFIXES) == sorted({*shared, "uni", "trigger"})
    assert len(set(shared)) == len(shared)
