from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.nbest.labels import Labels
from campanula.formats.nbest.places import PlaceFinder, Places, Style


def places(*fields: str, style: Style = Style()) -> Places:  # noqa: B008
    return PlaceFinder(style, Labels(style.mark)).places(fields)


def test_features_are_where_labels_are_and_the_score_is_beside() -> None:
    assert places("0", "a", "x= 1", "2", "0-0") == Places(5, 2, 3, True)
    assert places("0", "a", "b", "x= 1") == Places(4, 3, None, True)
    first = Style(score_first=True)
    assert places("0", "a", "b", "2", "x= 1", style=first) == Places(5, 4, 3, True)


def test_without_labels_features_are_in_their_usual_place() -> None:
    assert places("0", "a", "1 2", "3") == Places(4, 2, 3, False)
    assert places("0", "a", "", "3") == Places(4, 2, 3, False)
    assert places("0", "a", "tree", "", "3") == Places(5, 3, 4, False)


def test_the_other_fields() -> None:
    assert Places(6, 3, 4, True).others() == [2, 5]


@pytest.mark.parametrize("score", ["\u0663", "\uff11", "\u0663-\u0663"])
def test_a_score_in_digits_of_another_script_is_refused(score: str) -> None:
    with pytest.raises(LineError, match="score: expected a number"):
        places("0", "a", "x=1", score)


def test_bars_behind_no_text_are_not_part_of_one() -> None:
    finder = PlaceFinder(Style(), Labels("="))
    with pytest.raises(LineError, match="expected bars between blanks"):
        finder.check_text("|||E7.47e-02 0 1")
