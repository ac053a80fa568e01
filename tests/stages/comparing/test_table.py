"""Cells, and the columns that are shown."""

from __future__ import annotations

from campanula.stages.comparing.table import (
    EMPTY,
    Cell,
    MetricTable,
    TableColumn,
    number,
    probability,
    words,
)

COLUMNS = (TableColumn("a", "a", text=True), TableColumn("b", "b"), TableColumn("c", "c"))


def test_columns_of_numbers_are_shown_where_there_are_any() -> None:
    rows = [[words(""), EMPTY, EMPTY], [words("x"), EMPTY, number(2.5, ".1f")]]
    columns, shown = MetricTable("kind", "M", "s", COLUMNS, rows).shown()
    assert [column.key for column in columns] == ["a", "c"]
    assert shown == [["", ""], ["x", "2.5"]]


def test_cells() -> None:
    assert number(None, ".2f") == EMPTY
    assert number(-1.234, "+.2f") == Cell(-1.234, "-1.23")
    assert words("a\nb") == Cell("a\nb", "a b")


def test_a_p_value_is_never_shown_as_0() -> None:
    shown = [probability(p).shown for p in (1.0, 0.05, 0.0001, 2.0**-15)]
    assert shown == ["1.0000", "0.0500", "0.0001", "3e-05"]


def test_a_remark_stands_beside_the_signature() -> None:
    assert MetricTable("kind", "M", "sig", COLUMNS, []).title == "sig"
    assert (
        MetricTable("kind", "M", "sig", COLUMNS, [], "lower is better").title
        == "sig (lower is better)"
    )
