from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import index_features, select_violating
from tests.examples import write_kbest
from tests.naive import relevant_set as naive
from tests.present import present
from tests.stages.tuning.relevant.random_sets import FEATURES, random_sets, records_of

W = dict(zip(FEATURES, np.random.default_rng(1).normal(size=len(FEATURES)).tolist(), strict=True))


def lists_of(seed, n_truths=3, size=6):
    """Lists, some of whose hypotheses are truths, and truths."""
    lists, truths = (random_sets(seed + k, 5, 1, n)[0] for k, n in ((0, size), (50, n_truths)))
    return [[*one, two[0], one[0]] for one, two in zip(lists, truths, strict=True)], truths


def slow(lists, truths):
    """Texts and gains that Eq. 6 picks, in the order of the list."""
    found = []
    for members, z in zip(lists, truths, strict=True):
        alternatives = [m for m in naive.union([members]) if m not in z]
        if not alternatives:
            found.append(members[:1])
            continue
        picked = [naive.pick(W, truth, alternatives, FEATURES, "eq7")[0] for truth in z]
        found.append([m for m in alternatives if m in picked])
    return [[(text, gain) for text, _, gain in members] for members in found]


def selected(path):
    with Reader(str(path), KBest) as reader:
        return [
            list(zip(kbest.text, present(kbest.gain).tolist(), strict=True)) for kbest in reader
        ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Weights(W).write("w")
    return tmp_path


def run(*argv):
    return select_violating.main([*argv, "--weights", "w", "-o", "out", "-q"])


@pytest.mark.parametrize("seed", range(5))
def test_what_violates_most_for_some_truth_is_kept(folder, seed):
    lists, truths = lists_of(seed)
    write_kbest("lists", records_of(lists))
    write_kbest("truth", records_of(truths, Names(FEATURES[::-1])))
    assert run("lists", "--truth", "truth") == 0
    assert selected("out") == slow(lists, truths)


def test_lists_against_an_inventory_give_the_same(folder):
    lists, truths = lists_of(7)
    for number, (name, one) in enumerate((("lists", lists), ("truth", truths))):
        write_kbest(name, records_of(one, Names()))
        way = ["--extend", "F"] if number else ["--inventory", "F"]
        assert index_features.main([name, *way, "-o", f"{name}.i", "-q"]) == 0
    Weights({f: W[f] for f in FEATURES[3:]}).write("w")
    assert run("lists.i", "--truth", "truth.i", "--inventory", "F", "--allow-missing") == 0
    assert selected("out") == slow(lists, truths)


def test_where_all_are_truths_the_first_is_left(folder):
    lists, _ = lists_of(3)
    write_kbest("lists", records_of(lists))
    assert run("lists", "--truth", "lists") == 0
    assert selected("out") == [[(one[0][0], one[0][2])] for one in lists]


@pytest.mark.parametrize("of_truth", [False, True])
def test_of_one_output_nothing_is_left_out(folder, of_truth):
    """So `tune relevant-set --select violating -k 1` adds what it adds with --select all."""
    lists, truths = lists_of(6)
    single = [members[:1] for members in (truths if of_truth else lists)]
    write_kbest("lists", records_of(single))
    write_kbest("truth", records_of(truths))
    assert run("lists", "--truth", "truth") == 0
    assert selected("out") == [[(text, gain)] for [(text, _, gain)] in single]


def test_every_sentence_has_truths(folder, capsys):
    lists, truths = lists_of(4)
    write_kbest("lists", records_of(lists))
    write_kbest("truth", records_of(truths[:-1]))
    assert run("lists", "--truth", "truth") == 1
    line = "select-violating: truth: record 4: expected sentence 4, as lists has, found the end\n"
    assert capsys.readouterr().err == line
    assert not (folder / "out").exists()


def test_lists_without_gains_and_scores_beyond_numbers_are_named(folder, capsys):
    lists, truths = lists_of(4)
    write_kbest("lists", records_of(lists))
    write_kbest("truth", records_of(truths))
    write_kbest("bare", [replace(kbest, gain=None) for kbest in records_of(lists)])
    assert run("bare", "--truth", "truth") == 1
    assert run("lists", "--truth", "bare") == 1
    Weights({name: 1e200 * w for name, w in W.items()}).write("w")
    assert run("lists", "--truth", "truth") == 1
    *bare, huge = capsys.readouterr().err.splitlines()
    line = "select-violating: bare: sentence 0: expected gains (score-bleu adds them), found none"
    assert bare == [line, line]
    assert huge.startswith("select-violating: lists: sentence 0: expected finite violations")
    assert not (folder / "out").exists()
