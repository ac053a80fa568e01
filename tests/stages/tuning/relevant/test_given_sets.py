"""Sets against an inventory that grows, and weights that are of a prefix of it."""

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import import_weights, index_features, optimize
from campanula.stages.tuning.relevant.given_sets import GivenSets, SetStart
from tests.examples import write_kbest
from tests.naive import relevant_set as naive
from tests.stages.tuning.relevant.random_sets import (
    FEATURES,
    random_sets,
    records_of,
    sentences_of,
)


@pytest.fixture
def grown(tmp_path):
    """Sets against a growing inventory, weights of its first prefix, and what they are made of."""
    sets, paths = random_sets(1, n_sets=3), []
    inventory = str(tmp_path / "inv")
    for number, lists in enumerate(sets):
        plain = write_kbest(tmp_path / f"plain{number}", records_of(lists, Names()))
        way = ["--inventory" if number == 0 else "--extend", inventory]
        shards = ["--shards", "2"] if number == 1 else []
        paths.append(str(tmp_path / f"set{number}"))
        assert index_features.main([plain, *way, *shards, "-o", paths[-1], "-q"]) == 0
        if number == 0:
            Weights({}).write(str(tmp_path / "none"))
            argv = [str(tmp_path / "none"), "--inventory", inventory, "-q"]
            assert import_weights.main([*argv, "-o", str(tmp_path / "w0")]) == 0
    return tmp_path, inventory, paths, sets


def trained(folder, inventory, paths, *flags):
    argv = [*paths, "--loss", "costmargin", "--eta", "0.05", "--inventory", inventory, *flags]
    argv += ["--cache", str(folder / "cache")]
    assert optimize.main([*argv, "-o", str(folder / "w1"), "-q"]) == 0


def test_weights_by_id_equal_the_slow_reading(grown):
    folder, inventory, paths, sets = grown
    trained(folder, inventory, paths, "--weights", str(folder / "w0"))
    names, found = list(Inventory.open(inventory)), read_weight_stream(str(folder / "w1"))
    assert len(found) == len(names) > len(read_weight_stream(str(folder / "w0")))
    w0 = dict.fromkeys(FEATURES, 0.0)
    expected = naive.train(sentences_of(sets), w0, names, "table2", eta=0.05)
    assert dict(zip(names, found.theta.tolist(), strict=True)) == pytest.approx(
        {name: expected[name] for name in names}, abs=1e-9
    )


def test_the_bytes_do_not_depend_on_what_the_inventory_has_besides(grown):
    folder, inventory, paths, _ = grown
    before = len(Inventory.open(inventory))
    trained(folder, inventory, paths, "--weights", str(folder / "w0"))
    expected = (folder / "w1").read_bytes()
    more = records_of([[("text", {"another": 1.0, "third": 1.0}, 0.5)]], Names())
    plain = write_kbest(folder / "more", more)
    argv = [plain, "--extend", inventory, "-o", str(folder / "more.ids"), "-q"]
    assert index_features.main(argv) == 0
    assert len(Inventory.open(inventory)) == before + 2
    trained(folder, inventory, paths, "--weights", str(folder / "w0"))
    assert (folder / "w1").read_bytes() == expected


def test_weights_that_go_beyond_the_sets_are_kept(grown):
    folder, inventory, paths, _ = grown
    names = list(Inventory.open(inventory))
    Weights({names[-1]: 0.25}).write(str(folder / "text"))
    trained(folder, inventory, paths[:1], "--weights", str(folder / "text"))
    assert Weights.read(str(folder / "w1"))[names[-1]] == 0.25
    argv = [str(folder / "text"), "--inventory", inventory, "-o", str(folder / "long"), "-q"]
    assert import_weights.main(argv) == 0
    trained(folder, inventory, paths[:1], "--weights", str(folder / "long"))
    found = read_weight_stream(str(folder / "w1"))
    assert (len(found), found.theta[-1]) == (len(names), 0.25)


def test_rare_features_keep_the_weight_0(grown):
    folder, inventory, paths, _ = grown
    trained(folder, inventory, paths, "--weights", str(folder / "w0"), "--min-count", "5")
    count, theta = Inventory.open(inventory).count, read_weight_stream(str(folder / "w1")).theta
    assert (count < 5).any()
    assert (theta[count < 5] == 0.0).all()
    assert (theta[count >= 5] != 0.0).any()


def test_sets_of_prefixes_need_the_inventory(grown, capsys):
    folder, _, paths, _ = grown
    argv = [*paths, "--loss", "costmargin", "--weights", str(folder / "w0")]
    argv += ["--cache", str(folder / "cache")]
    assert optimize.main([*argv, "-o", str(folder / "w1")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "if one extends the other, give --inventory" in line


def test_names_beside_ids_are_refused(grown):
    _, inventory, paths, sets = grown
    folder = grown[0]
    plain = write_kbest(folder / "names", records_of(sets[0]))
    with pytest.raises(DataError, match="has names"):
        GivenSets.read([paths[0], plain], None, Inventory.open(inventory))
    with pytest.raises(DataError, match="found names"):
        GivenSets.read([plain], None, Inventory.open(inventory))


def test_names_of_all_sets_are_numbered_together(tmp_path):
    sets = random_sets(2, n_sets=2)
    paths = [
        write_kbest(tmp_path / f"set{number}", records_of(lists, Names()))
        for number, lists in enumerate(sets)
    ]
    given = GivenSets.read(paths, None, None)
    assert {*given.names} == {f for one in sets for lists in one for _, x, _ in lists for f in x}
    Weights(dict.fromkeys(given.names, 0.5) | {"other": 1.0}).write(str(tmp_path / "w0"))
    with pytest.raises(DataError, match="other"):
        SetStart.of(given, str(tmp_path / "w0"))
    start = SetStart.of(given, str(tmp_path / "w0"), freeze=["f1*"], allow_missing=True)
    assert start.theta.tolist() == [0.5] * len(given.names)
    start.write(str(tmp_path / "w1"), np.full(len(given.names), 0.25), ["# made"])
    assert Weights.read(str(tmp_path / "w1"))["other"] == 1.0


def test_weights_that_overflow_are_named_where_the_inventory_is_known(grown):
    folder, inventory, paths, _ = grown
    names = Inventory.open(inventory)
    for known, feature in ((names, repr(names[2])), (None, "#2")):
        given = GivenSets.read(paths[:1], None, known)
        start = SetStart.of(given, str(folder / "w0"))
        w = np.where(np.arange(len(start.theta)) == 2, np.inf, start.theta)
        with pytest.raises(DataError, match=f"w1: feature {feature}: expected a finite weight"):
            start.write(str(folder / "w1"), w, ["how"])
