"""The bounds of the paper's appendix hold at every iteration, on V(S) that is enumerated."""

import numpy as np
import pytest

from campanula.formats.weights import Weights
from campanula.stages import optimize
from tests.examples import write_kbest
from tests.naive.table_x import enumerated, lemma_2, minimum, objective, table_x, theorem_1
from tests.stages.tuning.relevant.random_sets import records_of

EXACT = 1e-11
PROBLEMS = [(1, 0.1), (2, 0.01), (3, 1.0)]


@pytest.fixture(params=PROBLEMS, ids=str, scope="module")
def run(request):
    """Iterations 0 to 6 of Table X, and lambda."""
    seed, penalty = request.param
    return list(table_x(enumerated(seed), penalty, 6)), penalty


def test_every_minimum_is_one_by_duality(run):
    assert max(now.gap for now in run[0]) < EXACT


@pytest.mark.parametrize("variant", [0, 1], ids=["lambda w, as printed", "2 lambda w"])
def test_lemma_2_bounds_what_is_left(run, variant):
    iterations, penalty = run
    for now, bound in zip(iterations[1:], lemma_2(iterations, penalty, variant), strict=True):
        assert -EXACT <= now.delta <= bound + EXACT


def test_lemma_2_bounds_the_distance(run):
    iterations, penalty = run
    for now in iterations:
        assert now.distance <= np.sqrt(max(now.delta, 0.0) / penalty) + np.sqrt(EXACT / penalty)


@pytest.mark.parametrize("variant", [0, 1], ids=["lambda w, as printed", "2 lambda w"])
def test_theorem_1_bounds_both(run, variant):
    iterations, penalty = run
    bounds = theorem_1(iterations, penalty, variant)
    assert any(bound is not None for bound in bounds)
    for now, bound in zip(iterations[1:], bounds, strict=True):
        if bound is not None:
            assert now.delta <= bound[0] + EXACT
            assert now.distance <= bound[1] + np.sqrt(EXACT / penalty)


def test_it_ends_where_all_alternatives_would_lead(run):
    iterations, _ = run
    assert iterations[0].delta > 0.1
    assert iterations[-1].delta < 0.01


def test_small_steps_of_eq_7_go_to_the_exact_minimum(tmp_path, monkeypatch):
    """The stage minimises what Table X does: Eq. 5 with lambda, here over all of V(S)."""
    monkeypatch.chdir(tmp_path)
    sentences, penalty = enumerated(1, n_sentences=2), 0.5
    names = [f"f{i}" for i in range(sentences[0].F.shape[1])]
    lists = [
        [
            (str(z), {n: v for n, v in zip(names, x.tolist(), strict=True) if v}, float(b))
            for z, (x, b) in enumerate(zip(s.F, s.b, strict=True))
        ]
        for s in sentences
    ]
    write_kbest("all", records_of(lists))
    write_kbest("truth", records_of([one[: s.K] for one, s in zip(lists, sentences, strict=True)]))
    Weights(dict.fromkeys(names, 0.0)).write("w0")
    argv = ["all", "--truth", "truth", "--loss", "costmargin", "--update", "eq7", "--weights", "w0"]
    argv += ["--lambda", str(penalty), "--eta", "2e-4", "--epochs", "20000", "--allow-missing"]
    assert optimize.main([*argv, "-o", "w1", "-q"]) == 0
    found = Weights.read("w1")
    w = np.array([found[n] for n in names])
    members = {
        (i, k): list(range(s.K, len(s.b))) for i, s in enumerate(sentences) for k in range(s.K)
    }
    exact, gap = minimum(sentences, members, penalty, np.zeros(len(names)))
    assert gap < EXACT
    assert np.abs(w - exact).max() < 5e-3
    lowest = objective(exact, sentences, members, penalty)
    assert lowest <= objective(w, sentences, members, penalty) < lowest * 1.0005
