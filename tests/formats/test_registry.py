from __future__ import annotations

from importlib import metadata

import pytest

from campanula.formats.registry import BrokenName, Registry, UnknownName


def table() -> Registry:
    return Registry("loss", "campanula.losses", {"ramp3": 3, "hinge": 1})


def test_ours_are_there_in_order() -> None:
    losses = table()
    assert list(losses) == ["ramp3", "hinge"]
    assert len(losses) == 2
    assert losses["ramp3"] == 3
    assert "ramp4" not in losses


def test_an_unknown_name_is_told_its_neighbours() -> None:
    with pytest.raises(UnknownName, match="no loss is called 'rmp3'; did you mean ramp3"):
        table()["rmp3"]
    with pytest.raises(UnknownName, match="'xyz'; there are ramp3, hinge"):
        table()["xyz"]


def test_ones_own_can_be_added_again_and_ours_cannot_be_replaced() -> None:
    losses = table()
    losses.add("mine", 7)
    assert losses["mine"] == 7
    losses.add("mine", 8)
    assert losses["mine"] == 8
    with pytest.raises(ValueError, match="there is a loss ramp3 already; take another name"):
        losses.add("ramp3", 9)
    assert losses["ramp3"] == 3
    assert repr(losses) == "<loss: ramp3, hinge, mine>"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("math:nothing", "module 'math' has no attribute 'nothing'"),
        ("nowhere.at_all:x", "No module named 'nowhere'"),
    ],
)
def test_an_entry_point_that_cannot_be_loaded_is_named(
    monkeypatch: pytest.MonkeyPatch, value: str, fault: str
) -> None:
    point = metadata.EntryPoint("theirs", value, "campanula.losses")
    found = metadata.EntryPoints([point])
    monkeypatch.setattr(metadata, "entry_points", lambda group, **name: found.select(**name))
    with pytest.raises(BrokenName) as failure:
        table()["theirs"]
    assert str(failure.value) == f"the loss theirs ({value}) cannot be loaded: {fault}"


def test_entry_points_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("theirs", "math:pi", "campanula.losses")

    def entry_points(*, group: str, name: str | None = None) -> metadata.EntryPoints:
        assert group == "campanula.losses"
        every = metadata.EntryPoints([point])
        return every if name is None else every.select(name=name)

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    losses = table()
    assert "theirs" not in losses
    assert losses["theirs"] == pytest.approx(3.14159, abs=1e-5)
    assert "theirs" in losses
    with pytest.raises(UnknownName, match="did you mean theirs"):
        losses["their"]


def test_an_unknown_name_is_a_key_error_and_a_value_error() -> None:
    for kind in (KeyError, ValueError):
        with pytest.raises(kind, match="no loss is called 'ramp'"):
            Registry("loss", "none.such", {"hinge": 1})["ramp"]


def test_items_are_made_of_what_the_user_gives() -> None:
    lengths = Registry("length", "none.such", {"two": 2}, make=lambda name, item: len(item))
    lengths.add("three", "abc")
    assert dict(lengths) == {"two": 2, "three": 3}
    with pytest.raises(TypeError):
        lengths.add("none", 7)
