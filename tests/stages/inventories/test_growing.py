"""An inventory that grows: ids, names and counts of a dictionary, however often it was extended."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.columns import ColumnError
from campanula.formats.records.names import is_name
from campanula.stages.inventories.growing import Growing
from tests.naive import fingerprints as naive

LONG = "a long name that begins like others:" * 9
ANY = st.one_of(
    st.text(max_size=30),
    st.text("ab", max_size=3),
    st.text("ab", max_size=3).map(LONG.replace(" ", "_").__add__),
    st.text("\u2028\x85\xa0\x00é😀", max_size=5),
).filter(is_name)
SENTENCES = st.lists(st.lists(ANY, max_size=12), max_size=12)


def contents(path):
    """The bytes of an inventory's files that depend on its names alone."""
    return {
        file.name: file.read_bytes()
        for file in path.iterdir()
        if not file.name.startswith(("count", "inventory", "lock"))
    }


@given(SENTENCES, st.data(), st.sampled_from([64, 4]))
@settings(max_examples=25)
def test_equal_to_a_dictionary(tmp_path_factory, sentences, data, bits):
    path = tmp_path_factory.mktemp("growing") / "F"
    ids: dict[str, int] = {}
    count: dict[str, int] = {}
    growing = Growing(str(path), new=True, bits=bits)
    for names in sentences:
        expected = [ids.setdefault(name, len(ids)) for name in names]
        found = growing.ids_of_names(names)
        assert found.tolist() == expected
        growing.see(np.unique(found))
        for name in set(names):
            count[name] = count.get(name, 0) + 1
        assert [growing[number] for number in expected] == names
        if data.draw(st.booleans()):
            growing.commit()
        if data.draw(st.booleans()):
            growing.commit()
            growing.close()
            growing = Growing(str(path))
    reference = growing.commit()
    growing.close()
    inventory = Inventory.open(str(path))
    assert list(inventory) == inventory.since(0) == list(ids)
    assert inventory.count.tolist() == [count[name] for name in ids]
    assert inventory.manifest.sentences == len(sentences)
    assert inventory.reference == reference
    assert reference.digest == naive.digest(list(ids))


def test_a_hundred_extensions_are_as_good_as_one(tmp_path):
    rng = np.random.default_rng(5)
    names = [f"{'x' * int(k)}{k * k}é" for k in rng.integers(0, 60, 100)]
    names += [f"name-{k}" for k in rng.integers(0, 300_000, 200_000).tolist()]
    with Growing(str(tmp_path / "once"), new=True) as growing:
        one_pass = growing.ids_of_names(names)
        growing.commit()
    bounds = np.sort(rng.integers(0, len(names), 99)).tolist()
    ids, references = [], []
    for k, (start, end) in enumerate(zip([0, *bounds], [*bounds, len(names)], strict=True)):
        with Growing(str(tmp_path / "often"), new=k == 0) as growing:
            ids.append(growing.ids_of_names(names[start:end]))
            references.append(growing.commit())
    assert np.array_equal(np.concatenate(ids), one_pass)
    assert contents(tmp_path / "often") == contents(tmp_path / "once")
    once = Inventory.open(str(tmp_path / "once"))
    assert once.reference == references[-1]
    for reference in references:
        once.check(reference, "lists")
    distinct = list(dict.fromkeys(names))
    for n in (0, 1, 65535, 65536, 65537, len(distinct)):
        assert once.digest(n) == naive.digest(distinct[:n])


def test_names_that_are_none_are_refused(tmp_path):
    with Growing(str(tmp_path / "F"), new=True) as growing:
        for bad in ("", "#", "a b", "a\tb", "a\n", "\r"):
            with pytest.raises(ColumnError, match="expected a feature name without blanks, found"):
                growing.ids_of_names(["good", bad])
        assert growing.ids_of_names(["a", "##", "\v"]).tolist() == [0, 1, 2]


def test_what_was_not_committed_is_gone(tmp_path):
    path = tmp_path / "F"
    with Growing(str(path), new=True) as growing:
        growing.ids_of_names(["a"])
    assert not path.exists()
    with Growing(str(path), new=True) as growing:
        growing.ids_of_names(["a"])
        growing.commit()
        growing.ids_of_names(["b"])
    assert list(Inventory.open(str(path))) == ["a"]


def test_a_new_one_takes_no_place_of_another(tmp_path):
    with pytest.raises(DataError, match="expected an inventory; no such folder"):
        Growing(str(tmp_path / "F"))
    with Growing(str(tmp_path / "F"), new=True) as growing:
        growing.commit()
    with pytest.raises(DataError, match="is an inventory already; --extend adds to it"):
        Growing(str(tmp_path / "F"), new=True)
    (tmp_path / "G").mkdir()
    (tmp_path / "G" / "thesis").write_text("")
    with pytest.raises(DataError, match="expected a new folder for an inventory, found one that"):
        Growing(str(tmp_path / "G"), new=True)
    assert [p.name for p in (tmp_path / "G").iterdir()] == ["thesis"]


def test_another_waits_for_its_turn(tmp_path):
    path = str(tmp_path / "F")
    with Growing(path, new=True) as growing:
        growing.ids_of_names(["a"])
        growing.commit()

    def add(name):
        with Growing(path) as growing:
            growing.ids_of_names([name])
            growing.commit()

    with Growing(path) as growing:
        threads = [threading.Thread(target=add, args=(f"t{k}",)) for k in range(8)]
        for thread in threads:
            thread.start()
        growing.ids_of_names(["b"])
        assert list(Inventory.open(path)) == ["a"]
        growing.commit()
        assert list(Inventory.open(path)) == ["a", "b"]
    for thread in threads:
        thread.join(20)
    found = Inventory.open(path)
    assert sorted(found) == ["a", "b", *(f"t{k}" for k in range(8))]
