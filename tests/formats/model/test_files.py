"""The files of a model and the features that are on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable


def test_paths_stand_in_a_fixed_order() -> None:
    lms = (LanguageModelFile("l"), LanguageModelFile("m", "classes"))
    tables = (ReorderingTable("r"), ReorderingTable("s", "hierarchical"))
    files = ModelFiles("t", tables, lms, distortion_table="d")
    assert files.paths() == [["t"], ["r", "s"], ["l", "m"], ["d"], [None, "classes"]]
    assert files.hierarchical() == (False, True)
    assert replace(files, lms=lms[:1]).paths() == [["t"], ["r", "s"], ["l"], ["d"]]
    assert ModelFiles("t").paths() == [["t"], [], [], []]


@pytest.mark.parametrize(
    ("text", "path", "orientation"),
    [
        ("a.gz", "a.gz", "word"),
        ("a.gz,phrase", "a.gz", "phrase"),
        ("a,b.gz,hierarchical", "a,b.gz", "hierarchical"),
        ("a,b.gz", "a,b.gz", "word"),
    ],
)
def test_the_type_of_a_reordering_table_stands_behind_a_comma(
    text: str, path: str, orientation: str
) -> None:
    assert ReorderingTable.named(text) == ReorderingTable(path, orientation)


def test_language_models_that_are_added_are_on() -> None:
    first, second = LanguageModelFile("l"), LanguageModelFile("m", "classes")
    files = ModelFiles("t", lms=(first,), features=("LM0",), labels=(("LM0", "Large"),))
    both = replace(files, lms=(first, second), features=("LM0", "LM1"))
    assert files.with_language_models((second,)) == both
    assert files.with_language_models(()) == files
    taken = replace(files, labels=(("LM0", "LM1"),), source="moses.ini")
    with pytest.raises(DataError, match=r"moses.ini: expected another name .* found LM1"):
        taken.with_language_models((second,))


def test_a_distortion_table_turns_its_features_on() -> None:
    assert ModelFiles("t").with_distortion_table("d") == ModelFiles("t", distortion_table="d")
    some = ModelFiles("t", features=("LM0",)).with_distortion_table("d")
    assert some.features == ("LM0", "OutboundDistortion0", "InboundDistortion0")
