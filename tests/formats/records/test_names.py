from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import Names


def test_ids_count_up_in_the_order_of_names() -> None:
    names = Names(["b", "a"])
    assert [names.id(name) for name in ("a", "c", "b", "c")] == [1, 2, 0, 2]
    assert list(names) == ["b", "a", "c"]
    assert (names[2], len(names), names.since(1)) == ("c", 3, ["a", "c"])
    assert "c" in names
    assert "d" not in names


def test_a_name_is_declared_once() -> None:
    with pytest.raises(ColumnError, match="'a' is declared twice"):
        Names(["a", "b"]).extend(["c", "a"])


def test_ids_of_another_table_follow_its_growth() -> None:
    ours, theirs = Names(["x"]), Names(["y", "x"])
    assert ours.ids_of(theirs).tolist() == [1, 0]
    theirs.id("z")
    assert ours.ids_of(theirs).tolist() == [1, 0, 2]
    assert ours.ids_of(ours).tolist() == [0, 1, 2]
    assert ours.ids_of(theirs).dtype == np.int32


def test_a_table_shows_its_first_names() -> None:
    assert repr(Names(["a", "b"])) == "<2 names: a, b>"
    assert repr(Names("abcdefg")) == "<7 names: a, b, c, d, e, ...>"
