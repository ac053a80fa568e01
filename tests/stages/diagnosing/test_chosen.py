"""First, highest score and oracle: ranks, shares and word edits are the twin's."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from campanula.formats.records.texts import Texts
from campanula.stages.diagnosing.chosen import Chosen
from tests.examples import random_lists
from tests.naive import diagnosis as naive
from tests.plain import plain

WORDS = ["the", "cat", "été", "on", "a", "mat"]


def lists_of(seed, n_lists=5):
    """Lists with texts of a few words, some empty, some twice; with scores."""
    rng = np.random.default_rng(seed)
    lists = []
    for kbest in random_lists(seed, n_lists)[0]:
        texts = [" ".join(rng.choice(WORDS, rng.integers(0, 6))) for _ in range(len(kbest))]
        score = np.round(rng.normal(size=len(kbest)), 1)
        lists.append(replace(kbest, text=Texts.of(texts), score=score))
    return lists


def choices_of(lists):
    chosen = Chosen(None)
    for kbest in lists:
        lengths = chosen.add(kbest)
        assert lengths.tolist() == [len(text.split()) for text in kbest.text]
    found = [asdict(choice) for choice in chosen.choices()]
    for choice in found:
        value = choice.pop("value")
        assert value["metric"] is None
        choice["gain"] = value["gain"]
    return {choice.pop("name"): choice for choice in found}


@pytest.mark.parametrize("seed", range(8))
def test_all_choices_are_the_twins(seed):
    lists = lists_of(seed)
    found, expected = choices_of(lists), naive.choices([plain(kbest) for kbest in lists])
    assert list(found) == list(expected) == ["first", "highest score", "oracle"]
    for name, choice in found.items():
        assert choice == pytest.approx(expected[name])


@pytest.mark.parametrize("missing", ["score", "gain"])
def test_a_choice_that_one_list_lacks_is_left_out(missing):
    lists = lists_of(1)
    lists[2] = replace(lists[2], **{missing: None})
    found = choices_of(lists)
    assert ("highest score" in found, "oracle" in found) == (missing != "score", missing != "gain")
    expected = naive.choices([plain(kbest) for kbest in lists])
    assert {name: found[name] for name in expected} == {
        name: pytest.approx(values) for name, values in expected.items()
    }


def test_of_no_lists_there_is_nothing_to_choose():
    assert Chosen(None).choices() == []
