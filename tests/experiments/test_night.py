"""What a night says before it starts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments import night, tables


@pytest.mark.parametrize(("limit", "hours"), [("90m", 1.5), ("3h", 3.0), ("1800", 0.5), ("1d", 24)])
def test_limits_are_those_of_timeout(limit: str, hours: float) -> None:
    assert night.hours_of(limit) == pytest.approx(hours)
    with pytest.raises(SystemExit, match="expected a number"):
        night.hours_of(f"{limit}?")


def kept(folder: Path, columns: list[str], unfinished: dict[str, str] | None = None) -> None:
    made = {"seconds": 7200, "megabytes": 500}
    figure = {"kind": "bars", "columns": columns, "label": ""}
    table = tables.Table("t", columns, {"a": {columns[0]: [1.0]}}, figure=figure, made=made)
    table = replace(table, unfinished=unfinished or {})
    tables.write(table, str(folder / "rampion-table1"))


def test_tables_of_languages_take_as_often_as_there_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    kept(tmp_path, ["es old", "es new", "avg"])
    assert night.earlier_cost("rampion-table1", 1, tmp_path) == night.EarlierCost(2.0, 0.5)
    assert night.earlier_cost("rampion-table1", 4, tmp_path) == night.EarlierCost(8.0, 2.0)
    assert night.earlier_cost("rampion-table2", 4, tmp_path) is None
    kept(tmp_path, ["es old"], {"es/pro": "7 iterations"})
    assert night.earlier_cost("rampion-table1", 1, tmp_path) is None


def test_hours_and_disk_are_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {"a": night.EarlierCost(2.0, 1.5), "b": None, "c": night.EarlierCost(9.0, 2.0)}
    monkeypatch.setattr(night, "earlier_cost", lambda name, pairs: costs[name])
    printed = list(night.lines_of(["a", "b", "c"], 3.0, 4, 100.0))
    assert printed == [
        "a: 2.0 h before, 1.5 GB; at most 3.0 h",
        "b: not known, at most 3.0 h",
        "c: 9.0 h before, 2.0 GB; at most 3.0 h",
        "in all at most 8.0 h; 3.5 GB of 100 GB that are free",
        "the size of 1 tables is not known",
    ]
    with pytest.raises(SystemExit, match=r"3\.5 GB are needed"):
        list(night.lines_of(["a", "c"], 3.0, 4, 3.0))
