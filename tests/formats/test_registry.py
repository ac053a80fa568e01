from importlib import metadata

import pytest

from campanula.formats.registry import Registry, UnknownName


def table():
    return Registry("loss", "campanula.losses", {"ramp3": 3, "hinge": 1})


def test_ours_are_there_in_order():
    losses = table()
    assert list(losses) == ["ramp3", "hinge"]
    assert len(losses) == 2
    assert losses["ramp3"] == 3
    assert "ramp4" not in losses


def test_an_unknown_name_is_told_its_neighbours():
    with pytest.raises(UnknownName, match="no loss is called 'rmp3'; did you mean ramp3"):
        table()["rmp3"]
    with pytest.raises(UnknownName, match="'xyz'; there are ramp3, hinge"):
        table()["xyz"]


def test_one_can_be_added_once():
    losses = table()
    losses.add("mine", 7)
    assert losses["mine"] == 7
    with pytest.raises(ValueError, match="there is a loss mine already"):
        losses.add("mine", 8)


def test_entry_points_are_found_by_name(monkeypatch):
    point = metadata.EntryPoint("theirs", "math:pi", "campanula.losses")

    def entry_points(group, **name):
        assert group == "campanula.losses"
        return metadata.EntryPoints([point]).select(**name)

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    losses = table()
    assert "theirs" not in losses
    assert losses["theirs"] == pytest.approx(3.14159, abs=1e-5)
    assert "theirs" in losses
    with pytest.raises(UnknownName, match="did you mean theirs"):
        losses["their"]
