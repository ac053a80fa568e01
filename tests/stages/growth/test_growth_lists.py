import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.weights import Weights
from campanula.stages import index_features
from campanula.stages.growth import growth_lists
from campanula.stages.growth.growth_lists import GrowthLists
from tests.examples import write_kbest
from tests.stages.growth.problems import WEIGHTS, Problem, block


@pytest.fixture
def problem():
    return Problem(2, n_lists=7)


def test_named_lists_are_packed_some_at_a_time(problem, tmp_path, monkeypatch):
    monkeypatch.setattr(growth_lists, "PART", 3)
    lists, _, _ = problem.write(tmp_path)
    read = GrowthLists.read(lists, None, "none")
    assert [len(shard.sid) for shard in read.data.shards] == [3, 3, 1]
    assert read.fires.all()


def test_lists_against_an_inventory_have_the_same_rows_and_weights(problem, tmp_path):
    lists, table, weights = problem.write(tmp_path)
    named = GrowthLists.read(lists, None, "none")
    inventory, out = str(tmp_path / "inv"), str(tmp_path / "shards")
    given = [lists, "--inventory", inventory, "--shards", "2", "-q", "-o", out]
    assert index_features.main(given) == 0
    found = GrowthLists.read(out, inventory, str(tmp_path / "cache"))
    assert len(found.data.shards) == 2
    one, other = named.rows(table), found.rows(table)
    assert (one.fired == other.fired).all()
    assert (one.probability == other.probability).all()
    for name in WEIGHTS:
        ids = [int(x.blocks.ids_of([name])[0]) for x in (named, found)]
        thetas = [x.theta(weights, False) for x in (named, found)]
        assert thetas[0][ids[0]] == thetas[1][ids[1]] == WEIGHTS[name]
    with pytest.raises(DataError, match="expected --inventory, for its names"):
        GrowthLists.read(out, None, str(tmp_path / "cache"))


def test_a_block_without_a_row_is_another_table(problem, tmp_path):
    lists, table, _ = problem.write(tmp_path)
    row = next(iter(problem.plain[0][0][1]))
    problem.scores = problem.scores[:, [r != row for r in problem.rows]]
    problem.rows.remove(row)
    problem.write(tmp_path)
    name = block(row)
    with pytest.raises(DataError, match="expected a row for each block") as caught:
        GrowthLists.read(lists, None, "none").rows(table)
    assert f"none for {name}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_weights_are_of_all_but_blocks(problem, tmp_path):
    lists, _, weights = problem.write(tmp_path)
    read = GrowthLists.read(lists, None, "none")
    theta = read.theta(weights, allow_missing=False)
    assert theta[read.blocks.are_blocks()].tolist() == [0.0] * read.blocks.are_blocks().sum()
    few = {name: value for name, value in WEIGHTS.items() if name != "LM0"}
    Weights(few).write(weights)
    with pytest.raises(DataError, match=r"feature 'LM0': expected a weight, found none"):
        read.theta(weights, allow_missing=False)
    Weights({**few, "LM9": 1.0}).write(weights)
    with pytest.raises(DataError, match=r"feature 'LM9': unknown feature"):
        read.theta(weights, allow_missing=False)
    assert np.count_nonzero(read.theta(weights, allow_missing=True)) == len(few)


@pytest.mark.parametrize("case", ["gains", "below", "channel", "weights", "blocks"])
def test_lists_that_have_not_what_it_takes_are_refused(problem, tmp_path, case):
    lists, table, weights = problem.write(tmp_path)
    first = problem.records[0]
    expected = "expected blocks of this table in the lists"
    if case == "gains":
        lists = write_kbest(tmp_path / "none", [type(first)(0, *parts(first), first.names)])
        expected = "sentence 0: expected gains"
    if case == "below":
        first.gain[0] = -0.25
        lists = write_kbest(tmp_path / "none", problem.records)
        expected = "sentence 0: expected gains of at least 0"
    if case == "channel":
        kept = np.array([n != "TranslationModel0_2" for n in first.names])
        first = type(first)(0, first.text, first.features.only(kept), first.names, gain=first.gain)
        lists = write_kbest(tmp_path / "none", [first])
        expected = "expected the dense feature TranslationModel0_2, found none"
    if case == "weights":
        Weights({n: 0.0 for n in WEIGHTS if n in problem.names}).write(weights)
        expected = "expected a weight of TranslationModel0_0 or TranslationModel0_2 other than 0"
    if case == "blocks":
        kept = np.array([not n.startswith("block_") for n in first.names])
        first = type(first)(0, first.text, first.features.only(kept), first.names, gain=first.gain)
        lists = write_kbest(tmp_path / "none", [first])
    with pytest.raises(DataError, match=expected):
        channels(lists, table, weights)


def channels(lists, table, weights):
    read = GrowthLists.read(lists, None, "none")
    theta = read.theta(weights, allow_missing=True)
    return read.channels(read.rows(table), theta, False, table)


def parts(kbest):
    return kbest.text, kbest.features
