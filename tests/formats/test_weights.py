from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.names import Names
from campanula.formats.weight_stream import WeightStream, write_weight_stream
from campanula.formats.weights import Theta, Weights, pairs, read_any_weights
from tests.strategies import NUMBER, WORD


def read(tmp_path: Path, text: str | bytes) -> Weights:
    path = tmp_path / "weights"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Weights.read(str(path))


NAMES = WORD.filter(lambda name: name != "#" and not name.startswith("\ufeff"))


@given(st.dictionaries(NAMES, NUMBER, max_size=5))
def test_round_trip_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, float]
) -> None:
    path = str(tmp_path_factory.mktemp("weights") / "w")
    Weights(values).write(path, ["how they were made", "and when"])
    found = Weights.read(path)
    assert list(found) == list(values)
    assert [found[name].hex() for name in found] == [value.hex() for value in values.values()]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("# comment\n\nLM0 0.5\n", {"LM0": 0.5}),
        ("a=b\t1e-5\r\n#x +3\n", {"a=b": 1e-5, "#x": 3.0}),
        ("\ufeffLM0 .5", {"LM0": 0.5}),
        ("x\u2028y -1E5\n", {"x\u2028y": -1e5}),
    ],
)
def test_lines(tmp_path: Path, text: str, values: dict[str, float]) -> None:
    assert dict(read(tmp_path, text)) == values


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("LM0 0.5\nLM0 0.6\n", "line 2: feature 'LM0' stands here for the second time"),
        ("LM0 0.5\nTM0\n", "line 2: expected `name value`, found 'TM0'"),
        ("LM0 0.5 3\n", "line 1: expected `name value`, found 'LM0 0.5 3'"),
        ("LM0 0,5\n", "line 1: expected a number, found '0,5'"),
        ("LM0 nan\n", "line 1: expected a finite number, found 'nan'"),
        ("LM0 -inf\n", "line 1: expected a finite number, found '-inf'"),
        ("LM0 1e999\n", "line 1: expected a finite number"),
        ("LM0 1_0\n", "line 1: expected a number, found '1_0'"),
        (b"LM0 0.5\n\xff 1\n", "line 2: expected UTF-8, found byte 0xff"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str | bytes, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read(tmp_path, text)


@pytest.mark.parametrize("name", ["", "a b", "a\tb", "a\nb", "#"])
def test_a_name_that_the_file_cannot_hold(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="expected no blank"):
        Weights({name: 1.0}).write(str(tmp_path / "w"))
    assert list(tmp_path.iterdir()) == []


def test_the_vector_follows_the_names() -> None:
    weights = Weights({"b": 2.0, "a": 1.0})
    assert weights.vector(Names(["a", "b"])).tolist() == [1.0, 2.0]
    assert weights.vector(Names(["a", "c"]), missing=0.0).tolist() == [1.0, 0.0]
    with pytest.raises(DataError, match="feature 'c': expected a weight, found none"):
        weights.vector(Names(["a", "c"]))


def test_a_weight_without_a_feature_is_refused() -> None:
    weights = Weights({"a": 1.0, "z": 2.0}, "w0")
    weights.refuse_unknown(Names(["a", "z"]), "dev")
    with pytest.raises(DataError, match="w0: feature 'z': unknown feature: dev has none"):
        weights.refuse_unknown(Names(["a"]), "dev")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "dev has none of this name (--allow-missing)"),
        (["a", "b"], "dev has none of this name, but a, b (--allow-missing)"),
        ([*"abcdefg"], "dev has none of this name, but a, b, c, d, e, f, ... (--allow-missing)"),
    ],
)
def test_the_first_features_are_named_where_one_is_unknown(names: list[str], said: str) -> None:
    with pytest.raises(DataError, match=re.escape(said)):
        Weights({"score": 1.0}).refuse_unknown(Names(names), "dev")


def test_theta_grows_with_the_names() -> None:
    names = Names(["a"])
    theta = Theta(Weights({"b": 2.0, "a": 1.0}), names, missing=0.0)
    assert theta.vector().tolist() == [1.0]
    names.extend(["c", "b"])
    assert theta.vector().tolist() == [1.0, 0.0, 2.0]


def test_of_and_digest() -> None:
    weights = Weights.of(["a", "b"], np.array([1.0, 2.0]))
    assert dict(weights) == {"a": 1.0, "b": 2.0}
    assert weights.digest() == Weights({"b": 2.0, "a": 1.0}).digest()
    assert weights.digest() != Weights({"a": 1.0, "b": 2.5}).digest()


def test_weights_and_features_may_differ_where_that_is_allowed() -> None:
    weights, names = Weights({"LM0": 0.5, "TM0": 2.0}), Names(["TM0", "x"])
    assert weights.checked_vector(names, "dev", True).tolist() == [2.0, 0.0]
    with pytest.raises(DataError, match="feature 'LM0': unknown feature: dev has none"):
        weights.checked_vector(names, "dev", False)
    with pytest.raises(DataError, match="feature 'x': expected a weight"):
        Weights({"TM0": 2.0}).checked_vector(names, "dev", False)


def test_pairs_know_their_lines(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("# how\n\nLM0 0.5\nLM0 1\n")
    assert list(pairs(str(tmp_path / "w"))) == [(3, "LM0", 0.5), (4, "LM0", 1.0)]


def test_text_or_a_stream(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("LM0 0.5\n")
    assert read_any_weights(str(tmp_path / "w")) == Weights({"LM0": 0.5}, str(tmp_path / "w"))
    write_weight_stream(str(tmp_path / "w"), REFERENCE, np.arange(3.0), "")
    found = read_any_weights(str(tmp_path / "w"))
    assert isinstance(found, WeightStream)
    assert found.theta.tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="w: is a weights stream, for lists against its inventory"):
        Weights.read(str(tmp_path / "w"))


REFERENCE = InventoryReference(3, "0" * 32)


def test_streams_are_for_lists_against_their_inventory() -> None:
    stream, names = WeightStream(REFERENCE, np.arange(3.0)), NumberedNames(REFERENCE)
    assert Theta(stream, names).vector().tolist() == [0, 1, 2]
    with pytest.raises(
        DataError, match="is a weights stream: expected lists against its inventory"
    ):
        Theta(stream, Names(["a"]))
    with pytest.raises(DataError, match="expected a weights stream for lists against an inventory"):
        Theta(Weights({}), names)
    other = NumberedNames(InventoryReference(4, "0" * 32))
    with pytest.raises(DataError, match=r"is against inventory .* if one extends the other"):
        Theta(stream, other)
    stream.refuse_unknown(names, "lists")
    assert stream.without(names) is stream


def test_what_no_reader_takes_is_not_written(tmp_path: Path) -> None:
    for value in (float("inf"), float("nan")):
        with pytest.raises(DataError, match=r"w: feature 'b': expected a finite weight, found"):
            Weights({"a": 1.0, "b": value}).write(str(tmp_path / "w"))
    assert not (tmp_path / "w").exists()
