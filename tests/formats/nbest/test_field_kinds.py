from __future__ import annotations

import itertools
import re

import pytest

from campanula.formats.nbest.field_kinds import (
    LINKS,
    FieldColumn,
    FieldKinds,
    field_name,
    is_known,
)
from campanula.formats.records.texts import Texts


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("contents", "name"),
    [
        (["0-0 1-1", "", "2-3"], "alignment"),
        (["", ""], "alignment"),
        (["0=0 1-2=3"], "segmentation"),
        (["1 2 3"], "path"),
        (["1 2", "0.31"], None),
        (["(S a)", "", "(S)"], "tree"),
        (["1 1", "0.5,0.5 1,0"], "soft-alignment"),
        (["0-0", "0=0"], None),
        (["a b"], None),
    ],
)
def test_a_column_is_what_all_its_contents_show(
    contents: list[str], name: str | None, together: bool
) -> None:
    column = FieldColumn(before=False)
    if together:
        column.see_all(Texts.of(contents))
    else:
        for content in contents:
            column.see(content)
    assert column.name() == name


def test_numbers_before_the_features_are_no_path() -> None:
    column = FieldColumn(before=True)
    column.see("5 7 9")
    assert column.name() is None


def test_a_name_is_given_once() -> None:
    kinds = FieldKinds()
    for place in (2, 5, 6):
        kinds.column(place, 3).see("0-0")
    assert kinds.names(()) == {"field3": "alignment"}
    assert kinds.names(("alignment",)) == {}
    assert field_name(5) == "field6"


def test_what_a_content_shows_by_itself() -> None:
    assert [is_known(text) for text in ("0-0", "0=0", "3", "(S)", "0,5", "a")] == [
        *[True] * 4,
        *[False] * 2,
    ]


def test_links_are_told_apart_in_one_pass() -> None:
    simple = re.compile(rb"(?:\d+-\d+[ \n]+|\n+)*")
    for size in range(8):
        for letters in itertools.product(b"0- \n", repeat=size):
            text = bytes(letters)
            assert (LINKS.fullmatch(text) is None) == (simple.fullmatch(text) is None), text
    # a pattern with two ways for each empty line would try 2 ** 5000
    column = FieldColumn(before=False)
    column.see_all(Texts.of([*["0-0", ""] * 5000, "a"]))
    assert column.name() is None
