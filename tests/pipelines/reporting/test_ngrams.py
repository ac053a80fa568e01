"""n-grams: hits are BLEU's matches, marks cover them, won and lost are their differences."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from campanula.formats.text.references import References
from campanula.pipelines.reporting.ngrams import Expected, won_and_lost
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.metrics.table import metric_named


def words(rng: random.Random) -> list[str]:
    return [rng.choice("abc") for _ in range(rng.randint(1, 9))]


@pytest.mark.parametrize("seed", range(20))
def test_hits_are_bleus_matches(seed: int) -> None:
    rng = random.Random(seed)
    output, *references = (words(rng) for _ in range(3))
    hits = Expected(references).hits(output)
    refs = References.of(*([" ".join(r)] for r in references))
    metric = metric_named("bleu")
    stats = ScoredOutputs.of_texts(metric, [[" ".join(output)]], refs).stats[0, 0]
    found = [sum(c for ngram, c in hits.items() if len(ngram) == n) for n in (1, 2, 3, 4)]
    assert found == stats[2:6].tolist()


@pytest.mark.parametrize("seed", range(20))
def test_as_many_words_are_marked_as_count(seed: int) -> None:
    rng = random.Random(seed)
    output, reference = words(rng), words(rng)
    expected = Expected([reference])
    marks = expected.marks(output)
    single = sum(c for ngram, c in expected.hits(output).items() if len(ngram) == 1)
    assert sum(mark > 0 for mark in marks) >= single
    longest = max((len(ngram) for ngram in expected.hits(output)), default=0)
    assert max(marks) == longest


def test_marks_say_the_longest_ngram_that_counts() -> None:
    expected = Expected([["a", "b", "c", "d", "e"], ["x", "y"]])
    text = list("abqxycdea")
    assert expected.marks(text) == [2, 2, 0, 2, 2, 3, 3, 3, 0]


def test_won_and_lost() -> None:
    one, other = Expected([["the", "cat", "sat"]]), Expected([["a", "dog"]])
    same = ["a", "dog"]
    sentences = [(one, ["the", "mat"], ["cat", "sat"]), (other, same, list(same))]
    won, lost = won_and_lost(sentences, 10)
    assert won == [(("cat", "sat"), 1), (("cat",), 1), (("sat",), 1)]
    assert lost == [(("the",), 1)]
    assert won_and_lost(sentences, 1) == (won[:1], lost)


def test_what_is_won_less_what_is_lost_is_the_change_in_matches() -> None:
    rng = random.Random(1)
    sentences = [(Expected([words(rng)]), words(rng), words(rng)) for _ in range(30)]
    won, lost = won_and_lost(sentences, 10**6)
    total: Counter[int] = Counter()
    for expected, before, after in sentences:
        total[0] += sum(expected.hits(after).values()) - sum(expected.hits(before).values())
    assert sum(count for _, count in won) - sum(count for _, count in lost) == total[0]
