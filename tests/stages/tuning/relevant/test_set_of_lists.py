import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from tests.examples import write_kbest
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


def rows_by_name(found):
    """Each hypothesis as a map of names to values."""
    rows = found.rows
    for j in range(found.n_hyps):
        valued = slice(*rows.valued_pointer[j : j + 2])
        binary = slice(*rows.binary_pointer[j : j + 2])
        ids = rows.valued_id[valued].tolist()
        row = dict(zip(ids, rows.value[valued].tolist(), strict=True))
        row |= dict.fromkeys(rows.binary_id[binary].tolist(), 1.0)
        yield {found.names[i]: value for i, value in row.items()}


def test_a_set_has_the_features_and_gains_of_its_lists(tmp_path):
    (lists,) = random_sets(1, n_sets=1, size=3, binary=False)
    path = write_kbest(tmp_path / "set", records_of(lists))
    found = SetOfLists.read(path)
    flat = [z for hypotheses in lists for z in hypotheses]
    assert list(rows_by_name(found)) == [x for _, x, _ in flat]
    assert found.rows.gain.tolist() == [gain for _, _, gain in flat]
    assert found.sid.tolist() == list(range(len(lists)))
    assert found.n_entries == sum(len(x) for _, x, _ in flat)
    same = [a[0] == b[0] for a in flat for b in flat]
    assert (found.rows.text[:, None] == found.rows.text).reshape(-1).tolist() == same


def test_names_may_be_added_to_a_table(tmp_path):
    (lists,) = random_sets(2, n_sets=1)
    path = write_kbest(tmp_path / "set", records_of(lists, Names()))
    names = Names(["first"])
    found = SetOfLists.read(path, names=names)
    assert found.names is names
    assert found.rows.binary_id.min() == 1
    assert list(rows_by_name(found)) == [x for ((_, x, _),) in lists]


def test_lists_without_gains_and_no_lists_are_refused(tmp_path):
    (lists,) = random_sets(3, n_sets=1)
    records = records_of(lists)
    object.__setattr__(records[2], "gain", None)
    path = write_kbest(tmp_path / "set", records)
    with pytest.raises(DataError, match="sentence 2: expected gains"):
        SetOfLists.read(path)
    with pytest.raises(DataError, match="found none"):
        SetOfLists.read(write_kbest(tmp_path / "none", []))
