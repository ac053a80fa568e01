"""Lattice records: round trips, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from campanula.formats.errors import DataError
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.lattice import Lattice, pack_narrow
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader
from campanula.stages import show
from tests.examples import random_lists, write_kbest
from tests.lattices import random_lattice, write_lattices
from tests.naive.lattice import paths
from tests.plain import float_column

Array = NDArray[np.generic]


def plain(lattice: Lattice) -> dict[str, object]:
    return {
        **show.lattice_object(lattice),
        "weight": lattice.weight.tolist(),
        "phrases": [lattice.phrase_text(p) for p in range(len(lattice.phrase_pointer) - 1)],
    }


def read(path: str | Path) -> list[Lattice]:
    with Reader(str(path), Lattice) as records:
        return list(records)


@pytest.mark.parametrize("seed", range(20))
def test_round_trip(seed: int, tmp_path: Path) -> None:
    names = Names(["LM0", "WordPenalty0"])
    lattices = [random_lattice(seed + 100 * k, 2 + seed % 6, sid=k, names=names) for k in range(3)]
    found = read(write_lattices(tmp_path / "l", lattices))
    assert [plain(lattice) for lattice in found] == [plain(lattice) for lattice in lattices]
    again = write_lattices(tmp_path / "again", found)
    assert (tmp_path / "l").read_bytes() == (tmp_path / "again").read_bytes() != b""
    assert read(again)[0].n_arcs == lattices[0].n_arcs


def test_ids_of_another_table() -> None:
    lattice, names = random_lattice(1), Names(["other"])
    record = lattice.pack(names)
    assert list(names) == ["other", "LM0", "WordPenalty0"]
    assert plain(Lattice.unpack(record, names)) == plain(lattice)


def test_sparse_features_of_the_search() -> None:
    lattice, names = random_lattice(1), Names()
    assert {"templates", "sparse"}.isdisjoint(lattice.pack(names))
    made = replace(lattice, templates=("block", "jump"), sparse="0f")
    again = Lattice.unpack(made.pack(names), names)
    assert (again.templates, again.sparse) == (("block", "jump"), "0f")
    for wrong in ({"templates": ["blocks"]}, {"templates": "block"}, {"sparse": 1}):
        with pytest.raises(ColumnError, match=f"'{next(iter(wrong))}'"):
            Lattice.unpack({**made.pack(names), **wrong}, names)
    with pytest.raises(ColumnError, match="'templates'"):
        Lattice.unpack({**made.pack(names), "templates": [["block"]]}, names)


def test_every_proper_prefix_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "l"
    write_lattices(path, [random_lattice(1, 3), random_lattice(2, 3, sid=4)])
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(DataError):
            read(path)


def test_every_flipped_byte_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "l"
    write_lattices(path, [random_lattice(1, 3)])
    data = path.read_bytes()
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            read(path)


def test_another_kind(tmp_path: Path) -> None:
    path = write_kbest(tmp_path / "k", random_lists(1)[0])
    with pytest.raises(DataError, match="expected a stream of kind 'lattice', found 'kbest'"):
        read(path)


def changed(**columns: Any) -> Lattice:
    """Unpack a small lattice with some columns changed."""
    lattice = replace(random_lattice(3, 4), **columns)
    return Lattice.unpack(lattice.pack(lattice.names), lattice.names)


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("before", lambda a: a + 1, "from a lower node to a higher one"),
        ("before", lambda a: a * 0 - 1, "from a lower node"),
        ("before", lambda a: a * 0, "out of every node"),
        ("before", lambda a: a[1:], "lengths"),
        ("pointer", lambda a: np.array([0, a[-1]]), "into every node but the first"),
        ("pointer", lambda a: np.insert(a, 2, a[2]), "into every node but the first"),
        ("start", lambda a: a + 4, "ids below 4"),
        ("end", lambda a: a * 0 - 1, "ids below 4"),
        ("start", lambda a: a * 0 + 3, "end after they start"),
        ("phrase", lambda a: a + 6, "ids below 6"),
        ("phrase_word", lambda a: a + 4, "ids below 4"),
        ("phrase_pointer", lambda a: a[:-1], "lengths"),
        ("dense", lambda a: a[:1], "expected 2 columns 'dense'"),
        ("dense", lambda a: a[:, 1:], "entries"),
        ("dense", lambda a: a * np.inf, "expected finite numbers"),
        ("score", lambda a: a + np.nan, "expected finite numbers"),
        ("score", lambda a: a[1:], "column 'score'"),
        ("weight", lambda a: a[1:], "column 'weight'"),
        ("weight", lambda a: a + np.inf, "expected finite numbers"),
        ("dense_id", lambda a: a + 1, "ids below 2"),
        ("dense_id", lambda a: a * 0, "feature 'LM0' stands here for the second time"),
        ("word", lambda a: a.take(np.array([0, 0, 1, 2])), "different words"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_refused(column: str, value: Callable[[Array], Array], problem: str) -> None:
    changed()
    lattice = random_lattice(3, 4)
    with pytest.raises(ColumnError, match=problem):
        changed(**{column: value(getattr(lattice, column))})


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        ("dense", "feature 'LM0': expected finite numbers"),
        ("score", "column 'score': expected finite numbers"),
        ("weight", "column 'weight': expected finite numbers"),
    ],
)
def test_numbers_that_are_not_finite_are_refused_when_they_are_read(
    column: str, problem: str
) -> None:
    lattice = random_lattice(3, 4)
    record = lattice.pack(lattice.names)
    if column == "dense":
        infinite: list[object] = [float_column(row + np.inf) for row in lattice.dense]
    elif column == "score":
        infinite = float_column(lattice.score + np.inf)
    else:
        infinite = float_column(lattice.weight + np.inf)
    with pytest.raises(ColumnError, match=problem):
        Lattice.unpack({**record, column: infinite}, lattice.names)


def test_a_column_is_narrow_where_that_loses_nothing() -> None:
    assert pack_narrow(np.array([-100.0, 0.25]))[0] == "<f4"
    assert pack_narrow(np.array([-100.0, 0.1]))[0] == "<f8"
    assert pack_narrow(np.array([1e300]))[0] == "<f8"


def test_it_is_shown_arc_by_arc(tmp_path: Path) -> None:
    lattice = random_lattice(2, 3)
    path = write_lattices(tmp_path / "l", [lattice])
    assert show.main([path, "-o", str(tmp_path / "out")]) == 0
    shown = json.loads((tmp_path / "out").read_text())
    assert (shown["sid"], shown["source"], shown["nodes"]) == (0, ["a", "b", "a"], 3)
    first = shown["arcs"][0]
    assert list(first) == ["before", "after", "span", "text", "score", "features"]
    assert first["text"] == lattice.phrase_text(int(lattice.phrase[0]))
    assert first["features"] == dict(
        zip(["LM0", "WordPenalty0"], lattice.dense[:, 0].tolist(), strict=True)
    )
    assert len(list(paths(lattice))) > 1
