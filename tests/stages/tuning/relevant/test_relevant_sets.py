from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages.kernels.relevant.online import scores_of
from campanula.stages.tuning.relevant import packed_sets
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from tests.naive import relevant_set as naive
from tests.stages.kernels.relevant.packed import features_of
from tests.stages.tuning.relevant.random_sets import (
    FEATURES,
    random_sets,
    records_of,
    sentences_of,
)


def read(lists, name="set"):
    return SetOfLists.of(records_of(lists), name)


def members(data, i):
    """Truths, and alternatives of sentence i, as features by name and gain."""
    sets = data.sets
    table = np.argsort(data.packed.place)[features_of(sets, i)]
    found = []
    for j in range(sets.pointer[i], sets.pointer[i + 1]):
        valued = slice(*sets.valued_pointer[j : j + 2])
        binary = slice(*sets.binary_pointer[j : j + 2])
        features = table[sets.valued_code[valued]].tolist()
        row = dict(zip(features, sets.value[valued].tolist(), strict=True))
        row |= dict.fromkeys(table[sets.binary_code[binary]].tolist(), 1.0)
        found.append(({FEATURES[f]: v for f, v in row.items()}, sets.gain[j]))
    return found[: sets.truths[i]], found[sets.truths[i] :]


@pytest.mark.parametrize("block", [1, 4, 4096])
@pytest.mark.parametrize("apart", [False, True])
def test_sets_are_unions_without_what_equals_an_earlier_member(monkeypatch, block, apart):
    monkeypatch.setattr(packed_sets, "BLOCK", block)
    sets = random_sets(1, n_sentences=7, n_sets=5, size=2, binary=False)
    truth = [[*lists, sets[0][i][0]] for i, lists in enumerate(random_sets(9, 7, 1, 2)[0])]
    data = RelevantSets.of([read(s) for s in sets], read(truth), apart=apart)
    distinct = 0
    for i, (truths, alternatives) in enumerate(sentences_of(sets, truth)):
        if apart:
            alternatives = [z for z in alternatives if z not in truths]
        best = naive.first_of_largest([b for _, _, b in truths])
        distinct += len(truths) + len(alternatives)
        if not apart:  # no update reads another truth
            truths, best = [truths[best]], 0
        expected = tuple([(x, b) for _, x, b in part] for part in (truths, alternatives))
        assert members(data, i) == expected
        assert data.sets.best[i] == best
    assert data.counts.hypotheses == 7 * 13
    assert data.counts.distinct == distinct


def test_equal_texts_and_gains_with_other_features_are_others_and_so_are_other_values():
    one, other = {"f0": 0.5, "f5": 1.0}, {"f0": 0.25, "f5": 1.0}
    lists = [[("a", one, 0.5), ("a", other, 0.5), ("b", one, 0.5), ("a", one, 0.25)]]
    assert RelevantSets.of([read(lists), read(lists)]).counts.distinct == 4


def test_features_that_are_left_out_have_no_entries():
    sets = random_sets(3)
    kept = np.arange(len(FEATURES)) % 2 == 0
    data = RelevantSets.of([read(s) for s in sets], kept=kept)
    assert len(data.sets.rare) == 0
    assert (np.argsort(data.packed.place)[data.sets.common] % 2 == 0).all()
    whole = RelevantSets.of([read(s) for s in sets])
    assert data.counts.distinct == whole.counts.distinct
    assert data.counts.entries < whole.counts.entries


def test_a_sentence_may_have_more_features_than_two_bytes_tell():
    many = {f"g{number}": 1.0 for number in range(70_000)}
    names = Names(many)
    narrow = [("a", {"g0": 1.0, "g7": 1.0}, 0.25), ("b", {"g7": 1.0}, 0.5)]
    data = RelevantSets.of([SetOfLists.of(records_of([narrow], names), "set")])
    assert data.sets.binary_code.dtype == np.uint16
    lists = [narrow, [("a", many, 0.25), ("b", {"g69999": 1.0}, 0.5)]]
    data = RelevantSets.of([SetOfLists.of(records_of(lists, names), "set")])
    assert data.sets.binary_code.dtype == np.uint32
    table = np.argsort(data.packed.place)[features_of(data.sets, 1)]
    assert table[data.sets.binary_code[3:]].tolist() == [*range(70_000), 69_999]
    score = scores_of(data.sets, data.packed.placed(np.arange(70_000.0)))
    assert score.tolist() == [7.0, 7.0, sum(range(70_000)), 69_999.0]


def test_sets_are_of_the_same_sentences_and_one_metric():
    first, second = (read(s, name) for s, name in zip(random_sets(5), "ab", strict=False))
    short = replace(second, sid=second.sid[:-1])
    with pytest.raises(DataError, match=r"b: record 5: expected a list of sentence 5, as a has"):
        RelevantSets.of([first, short])
    other = replace(second, sid=second.sid + 1)
    with pytest.raises(DataError, match="as b has, found a list of sentence 0"):
        RelevantSets.of([first], other)
    scored = replace(second, metric={"name": "of my own"})
    with pytest.raises(DataError, match="expected the metric of a"):
        RelevantSets.of([first, scored])


def test_scores_that_overflow_name_the_sentence():
    lists = [[("a", {"f5": 1.0}, 0.5)], [("b", {"f6": 1.0}, 0.5)]]
    data = RelevantSets.of([read(lists)])
    theta = np.zeros(len(FEATURES))
    theta[6] = np.inf
    with pytest.raises(DataError, match="sentence 1: expected finite scores under the weights"):
        data.refuse_infinite(theta, "the weights")
