"""Names for numbers without names: those of Moses's lists, in their order."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from tests.examples import MOSES
from tests.weight_file import weights_of

INI = """[feature]
UnknownWordPenalty
WordPenalty
PhraseDictionaryMemory name=TM0 num-features=2 path=table
LexicalReordering name=LR0 num-features=2 path=reordering
Distortion
KENLM name=LM0 path=lm
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1
TM0= .2 .2
LR0= .3 .3
Distortion0= .3
LM0= .5
"""
NAMES = ["LR0_0", "LR0_1", "Distortion0", "LM0", "WordPenalty0", "TM0_0", "TM0_1"]


def numbers(n: int) -> str:
    return " ".join(map(str, range(n))) + "\n"


def test_the_order_is_that_of_lists_and_what_is_not_tuned_is_not_there(tmp_path: Path) -> None:
    found = weights_of(tmp_path, numbers(7), names=INI)
    assert found == dict(zip(NAMES, range(7), strict=True))
    kbmira = "".join(f"F{i} {i}\n" for i in range(7)) + "tgt_the 0.5\n"
    assert weights_of(tmp_path, kbmira, names=INI) == {**found, "tgt_the": 0.5}


def test_other_numbers_than_names_are_refused_with_both_counts(tmp_path: Path) -> None:
    for count in (6, 8):
        with pytest.raises(DataError, match=rf"expected 7 numbers, as .*names.*; found {count}"):
            weights_of(tmp_path, numbers(count), names=INI)
    with pytest.raises(DataError, match=r"expected 2 numbers, .*; found 2"):
        weights_of(tmp_path, "F0 1\nF2 1\n", names="A 1\nB 1\n")


def test_a_file_without_features_has_its_names_in_their_order(tmp_path: Path) -> None:
    text = "[weight]\nA= .3\nUnknownWordPenalty0= 1\nB= .4 .5\n"
    assert weights_of(tmp_path, numbers(3), names=text) == {"A": 0.0, "B_0": 1.0, "B_1": 2.0}


def test_features_may_be_told_to_be_tuned_or_not(tmp_path: Path) -> None:
    text = INI.replace("UnknownWordPenalty\n", "UnknownWordPenalty tuneable=true\n")
    text = text.replace("KENLM", "KENLM tuneable=false")
    text = text.replace("name=TM0", "name=TM0 tuneable-components=1,0")
    expected = [*NAMES[:3], "UnknownWordPenalty0", "WordPenalty0", "TM0"]
    assert list(weights_of(tmp_path, numbers(6), names=text)) == expected


def test_a_feature_whose_place_is_not_known_is_refused(tmp_path: Path) -> None:
    text = INI.replace("\nDistortion\n", "\nNoisyChannel name=Distortion0\n")
    with pytest.raises(DataError, match=r"line 6: expected features whose place .*'NoisyChannel'"):
        weights_of(tmp_path, numbers(7), names=text)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected different names"):
        weights_of(tmp_path, "F0 1\nLM0 2\n", names="LM0 1\n")


@pytest.mark.skipif(not MOSES.exists(), reason="no lists of Moses")
def test_the_names_are_those_of_lists_that_moses_wrote(tmp_path: Path) -> None:
    with gzip.open(MOSES / "run1.best100.gz", "rt") as file:
        features = file.readline().split("|||")[2].split()
    widths: dict[str, int] = {}
    label = ""
    for token in features:
        if token.endswith("="):
            label = token[:-1]
            widths[label] = 0
        else:
            widths[label] += 1
    names = [
        f"{label}_{i}" if width > 1 else label
        for label, width in widths.items()
        for i in range(width)
    ]
    for ini in ("moses.ini", "run1.weights.ini"):
        found = weights_of(tmp_path, numbers(14), names=(MOSES / ini).read_text())
        assert list(found) == names
