"""Packed relevant sets at random."""

from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


def rows(lists):
    """Rows of lists of hypotheses."""
    return SetOfLists.of(records_of(lists), "set").rows


def packed_lists(lists, truth=None, apart=False):
    """Packed sets of one set of lists."""
    one = SetOfLists.of(records_of(lists), "set")
    truths = None if truth is None else SetOfLists.of(records_of(truth), "truth")
    return RelevantSets.of([one], truths, apart=apart).packed


def packed(seed, truth=None, apart=False, **settings):
    """Packed sets of random lists."""
    sets = [SetOfLists.of(records_of(one), "set") for one in random_sets(seed, **settings)]
    truths = None if truth is None else SetOfLists.of(records_of(truth), "truth")
    return RelevantSets.of(sets, truths, apart=apart).packed


def features_of(sets, i):
    """Places of the features of sentence i: what codes point to."""
    common = sets.common[sets.common_pointer[i] : sets.common_pointer[i + 1]]
    return [*common.tolist(), *sets.rare[sets.rare_pointer[i] : sets.rare_pointer[i + 1]].tolist()]
