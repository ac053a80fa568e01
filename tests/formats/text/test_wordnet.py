"""WordNet's index and exceptions: synsets of words and of their base forms, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.wordnet import WordNet, base_forms
from tests.wordnet_folder import FILES, write_wordnet


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return WordNet.read(write_wordnet(tmp_path / "wn"))


def test_synsets_of_a_word_and_of_its_base_forms(wordnet: WordNet) -> None:
    assert wordnet.synsets("car") == {("noun", 2958343), ("noun", 2959942)}
    assert wordnet.synsets("cars") == wordnet.synsets("CAR") == wordnet.synsets("car")
    assert wordnet.synsets("automobile") == {("noun", 2958343), ("verb", 1930874)}
    assert wordnet.synsets("drove") == wordnet.synsets("driving") == {("verb", 1930874)}
    assert wordnet.synsets("happier") == wordnet.synsets("happy") == {("adj", 1148283)}
    assert wordnet.synsets("soon") == {("adv", 33663)}
    assert wordnet.synsets("") == wordnet.synsets("nothing") == wordnet.synsets("ca") == set()


def test_the_rules_of_detachment() -> None:
    known = {
        ("cats", "noun"): ["cat"],
        ("buses", "noun"): ["buse", "bus"],
        ("boxes", "noun"): ["boxe", "box"],
        ("churches", "noun"): ["churche", "church"],
        ("women", "noun"): ["woman"],
        ("ponies", "noun"): ["ponie", "pony"],
        ("glass", "noun"): [],
        ("is", "noun"): [],
        ("tries", "verb"): ["trie", "try", "trie", "tri"],
        ("baked", "verb"): ["bake", "bak"],
        ("baking", "verb"): ["bake", "bak"],
        ("wider", "adj"): ["wid", "wide"],
        ("widest", "adj"): ["wid", "wide"],
        ("sooner", "adv"): [],
    }
    assert {key: list(base_forms(*key, {})) for key in known} == known
    assert list(base_forms("mice", "noun", {"mice": ("mouse",)})) == ["mouse"]


def test_an_exception_may_have_several_lines(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn")
    (tmp_path / "wn" / "noun.exc").write_text("axes ax axis\nmice mouse\naxes kid\n")
    wordnet = WordNet.read(folder)
    assert wordnet.index["noun"].bases["axes"] == ("ax", "axis", "kid")
    assert wordnet.synsets("axes") == wordnet.synsets("child")


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    one = WordNet.read(write_wordnet(tmp_path / "one")).digest
    assert WordNet.read(write_wordnet(tmp_path / "two")).digest == one
    for name, text in FILES.items():
        folder = write_wordnet(tmp_path / name)
        (tmp_path / name / name).write_text(text + "zz n 1 0 1 0 00000001\n")
        assert WordNet.read(folder).digest != one


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("index.noun", "car n\n", "index.noun: line 1: expected `lemma pos synset_cnt ... offset`"),
        ("index.verb", "  1 licence\ngo v 2 0 2 0 00000001\n", "index.verb: line 2: expected"),
        ("index.adj", "red a 1 0 1 0 x\n", "index.adj: line 1: expected"),
        ("index.adv", "so r 0 0 0 0\n", "index.adv: line 1: expected"),
        ("index.noun", "a n 1 0 1 0 1\nb n 1 0 1 0 1\na n 1 0 1 0 2\n", "index.noun: expected a"),
        ("index.verb", "", "index.verb: expected lemmas, found none"),
        ("noun.exc", "mice mouse\nalone\n", "noun.exc: line 2: expected a word and its base forms"),
        ("verb.exc", "\n", "verb.exc: line 1: expected a word and its base forms"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, text: str, fault: str) -> None:
    folder = write_wordnet(tmp_path / "wn")
    (tmp_path / "wn" / name).write_text(text)
    with pytest.raises(DataError) as error:
        WordNet.read(folder)
    assert fault in str(error.value)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wn")
    (tmp_path / "wn" / "adj.exc").unlink()
    with pytest.raises((DataError, OSError), match=r"adj\.exc"):
        WordNet.read(folder)
