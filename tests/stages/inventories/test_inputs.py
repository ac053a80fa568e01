"""Streams one after the other: what they are against, and what does not go together."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from campanula.stages import index_features
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.inputs import StreamInputs, n_records
from tests.examples import random_lists, write_kbest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists with names in `in`, and against an inventory F in the three shards of `all`."""
    monkeypatch.chdir(tmp_path)
    write_kbest("in", random_lists(7, n_lists=9)[0])
    assert index_features.main(["in", "--inventory", "F", "--shards", "3", "-o", "all", "-q"]) == 0


def against(path: str, first_name: str, start: int, end: int) -> None:
    """Write sentences of `in` against an inventory that has a name before theirs."""
    with Growing(path, new=not Path(path).exists()) as growing:
        growing.ids_of_names([first_name])
        growing.commit()
    with Reader("in", KBest) as lists, Writer("part", KBest, "part") as out:
        for kbest in lists:
            if start <= kbest.sid < end:
                out.write(kbest)
    argv = ["part", "--extend", path, "-o", f"{path}.{start}", "-q"]
    assert index_features.main(argv) == 0


def test_what_lists_so_far_are_against() -> None:
    inputs = StreamInputs(["all"])
    assert (inputs.total, inputs.metric, len(inputs.signatures)) == (9, None, 3)
    known = []
    for kbest in inputs:
        known.append(inputs.reference.names)
        assert kbest.features.present().max() < known[-1]
    assert known == sorted(known)
    assert inputs.reference == Inventory.open("F").reference
    assert [kbest.sid for kbest in inputs] == list(range(9))  # and once more


def test_lists_of_two_inventories_are_refused() -> None:
    against("G", "uni_g", 0, 5)
    against("H", "uni_h", 5, 9)
    with pytest.raises(DataError, match=r"H\.5: expected inventory .* as of lists before, found"):
        StreamInputs(["G.0", "H.5"])


def test_that_one_extends_the_other_is_known_by_the_inventory() -> None:
    against("G", "uni_g", 0, 5)
    against("G", "uni_h", 5, 9)
    with pytest.raises(DataError, match="--extend with --no-count"):
        StreamInputs(["G.0", "G.5"])
    with Growing("G") as growing:
        inputs = StreamInputs(["G.0", "G.5"], growing, Inventory.open("G"))
        assert [kbest.sid for kbest in inputs] == list(range(9))


def test_lists_with_names_are_none() -> None:
    with pytest.raises(DataError, match="in: has names: expected --inventory or --extend"):
        StreamInputs(["in"])


def test_the_end_says_how_many_there_are() -> None:
    assert n_records("in") == 9
    Path("in").write_bytes(Path("in").read_bytes()[:-1])
    with pytest.raises(DataError, match="expected an end record"):
        n_records("in")
