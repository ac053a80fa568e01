"""Lists that break tuners: each solver ends in finite, sensible weights, or one clear line."""

import os
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer
from campanula.formats.weights import Weights
from campanula.stages import optimize, score_bleu
from campanula.stages.metrics.bleu import Bleu
from tests.examples import write_kbest
from tests.stages.tuning.sharded import files

WAYS = [
    "--loss ramp3 --solver ssd",
    "--loss hinge-kbest --solver mira",
    "--loss soft-ramp3 --solver lbfgs",
    "--loss bayes-risk --solver sgd",
    "--loss expected-bleu --solver rprop",
    "--loss pairwise --solver adagrad",
]


def kbest(sid, rows, gain, names, texts=None):
    texts = texts or [f"words {j}" for j in range(len(rows))]
    features = Features.of(rows, names)
    return KBest(sid, Texts.of(texts), features, names, gain=np.array(gain, float))


def lists(*parts, names=None):
    names = names or Names()
    return [kbest(sid, rows, gain, names) for sid, (rows, gain) in enumerate(parts)]


def ordinary():
    rows = [{"good": float(j), "bad": float(-j)} for j in range(4)]
    return rows, [0.1, 0.3, 0.5, 0.9]


def tuned(tmp_path, records, way, initial=0.1):
    path = write_kbest(tmp_path / "dev.kbest", records)
    names = list(dict.fromkeys(name for record in records for name in record.names))
    Weights(dict.fromkeys(names, initial)).write(str(tmp_path / "w0"))
    step = ["--eta", "0.01"] if {"ssd", "sgd", "adagrad"} & set(way.split()) else []
    argv = [path, "--weights", str(tmp_path / "w0"), *way.split(), *step, "-q"]
    assert optimize.main([*argv, "-o", str(tmp_path / "w1")]) == 0
    weights = Weights.read(str(tmp_path / "w1"))
    assert all(np.isfinite(value) for value in weights.values())
    return weights


@pytest.mark.parametrize("way", WAYS)
def test_ordinary_lists_raise_the_weight_of_the_good_feature(tmp_path, way):
    weights = tuned(tmp_path, lists(ordinary(), ordinary()), way)
    assert weights["good"] > 0.1 > weights["bad"]


@pytest.mark.parametrize("way", WAYS)
def test_a_constant_feature_keeps_its_weight(tmp_path, way):
    rows, gain = ordinary()
    rows = [{**row, "constant": 7.0} for row in rows]
    weights = tuned(tmp_path, lists((rows, gain), (rows, gain)), way)
    assert weights["constant"] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("loss", ["expected-bleu", "log-kbest", "soft-ramp3", "bayes-risk"])
def test_a_constant_feature_has_no_slope_at_all_without_regularisation(tmp_path, loss):
    rows, gain = ordinary()
    rows = [{**row, "constant": 7.0} for row in rows]
    way = f"--loss {loss} --solver rprop --C 0 --iterations 200"
    assert tuned(tmp_path, lists((rows, gain), (rows, gain)), way)["constant"] == 0.1


@pytest.mark.parametrize("way", WAYS)
def test_a_feature_absent_from_some_lists_counts_zero_there(tmp_path, way):
    rows, gain = ordinary()
    rare = [{**row, "rare": float(j)} for j, row in enumerate(rows)]
    weights = tuned(tmp_path, lists((rows, gain), (rare, gain), (rows, gain)), way)
    # at the optimum of the hinge the good feature does it all
    assert weights["rare"] > 0.1 or ("mira" in way and weights["rare"] == pytest.approx(0.1))


@pytest.mark.parametrize("way", WAYS)
def test_equal_gains_move_weights_only_a_little(tmp_path, way):
    rows, _ = ordinary()
    weights = tuned(tmp_path, lists((rows, [0.5] * 4), (rows, [0.5] * 4)), way)
    assert weights["good"] == pytest.approx(0.1, abs=0.2)


@pytest.mark.parametrize("way", WAYS)
def test_equal_hypotheses_change_nothing(tmp_path, way):
    rows = [{"good": 1.0, "bad": -1.0}] * 4
    weights = tuned(tmp_path, lists((rows, [0.5] * 4), (rows, [0.5] * 4)), way)
    assert dict(weights) == pytest.approx({"good": 0.1, "bad": 0.1}, abs=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_lists_of_one_hypothesis_change_nothing(tmp_path, way):
    one = [{"good": 2.0, "bad": 1.0}], [0.4]
    weights = tuned(tmp_path, lists(one, one), way)
    assert dict(weights) == pytest.approx({"good": 0.1, "bad": 0.1}, abs=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_hypothesis_is_one_like_others(tmp_path, way):
    rows, gain = ordinary()
    records = lists((rows, [0.0, *gain[1:]]), (rows, gain))
    records[0] = replace(records[0], text=Texts.of(["", "a", "b", "c"]))
    assert tuned(tmp_path, records, way)["good"] > 0.1


@pytest.mark.parametrize("way", WAYS)
def test_all_zero_initial_weights_find_the_good_feature(tmp_path, way):
    weights = tuned(tmp_path, lists(ordinary(), ordinary()), way, initial=0.0)
    assert weights["good"] > 0.0 > weights["bad"]


@pytest.mark.parametrize("way", WAYS)
def test_huge_scores_stay_finite(tmp_path, way):
    rows, gain = ordinary()
    rows = [{name: value * 1e6 for name, value in row.items()} for row in rows]
    weights = tuned(tmp_path, lists((rows, gain), (rows, gain)), way)
    assert set(weights) == {"good", "bad"}


def test_no_gain_at_all_is_one_clear_line_for_expected_bleu(tmp_path, capsys):
    rows, _ = ordinary()
    path = write_kbest(tmp_path / "dev.kbest", lists((rows, [0.0] * 4)))
    Weights({"good": 0.1, "bad": 0.1}).write(str(tmp_path / "w0"))
    argv = [path, "--weights", str(tmp_path / "w0"), "--loss", "expected-bleu"]
    out = tmp_path / "w1"
    assert optimize.main([*argv, "--solver", "rprop", "-q", "-o", str(out)]) == 1
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    assert "gain" in error
    assert not out.exists()


def test_pairwise_without_pairs_keeps_the_weights(tmp_path):
    rows, _ = ordinary()
    weights = tuned(tmp_path, lists((rows, [0.5] * 4)), "--loss pairwise --solver lbfgs")
    assert dict(weights) == {"good": 0.1, "bad": 0.1}


@pytest.mark.parametrize("metric", ["wer", "chrf"])
def test_batch_mira_refuses_what_is_not_bleu(tmp_path, capsys, metric):
    rows, gain = ordinary()
    path, scored = write_kbest(tmp_path / "dev.kbest", lists((rows, gain))), tmp_path / "scored"
    (tmp_path / "ref").write_text("a\n")
    argv = [path, "--ref", str(tmp_path / "ref"), "--metric", metric, "-q", "-o", str(scored)]
    assert score_bleu.main(argv) == 0
    Weights({"good": 0.1, "bad": 0.1}).write(str(tmp_path / "w0"))
    argv = [str(scored), "--weights", str(tmp_path / "w0"), "--solver", "batch-mira", "-q"]
    assert optimize.main([*argv, "-o", str(tmp_path / "w1")]) == 1
    assert f"found {metric}'s" in capsys.readouterr().err
    assert not (tmp_path / "w1").exists()


ALL_WAYS = [*WAYS, "--loss cost --solver line-search", "--solver batch-mira"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("way", ALL_WAYS)
@pytest.mark.parametrize("initial", [1.7e308, 1e200])
def test_numbers_too_large_are_one_line_and_no_warning(tmp_path, capsys, way, initial):
    """Scores of 1.7e308 times a feature overflow; 1e200 is a score, but its square is none."""
    rows, gain = ordinary()
    records = lists((rows, gain))
    stats = np.ones((4, 10), np.int64)
    with Writer(str(tmp_path / "k"), KBest, "test", metric=Bleu().header()) as out:
        out.write(replace(records[0], stats=stats))
    Weights({"good": initial, "bad": -0.5 * initial}).write(str(tmp_path / "w0"))
    center = [] if "cost" in way or "batch" in way else ["--center", "0"]
    argv = [str(tmp_path / "k"), "--weights", str(tmp_path / "w0"), *way.split(), *center, "-q"]
    status = optimize.main([*argv, "-o", str(tmp_path / "w1")])
    error = capsys.readouterr().err.strip()
    if initial > 1e300:
        assert "sentence 0: expected a finite score of hypothesis 1 under the initial" in error
    elif center:
        assert "expected a finite objective" in error
    assert status == (1 if initial > 1e300 or center else 0)
    assert error.count("\n") == 0
    assert (tmp_path / "w1").exists() == (status == 0)


def test_lists_without_features_are_refused_by_what_they_lack(tmp_path, capsys):
    path = write_kbest(tmp_path / "dev.kbest", lists(([{}, {}], [0.1, 0.9])))
    (tmp_path / "w0").write_text("")
    argv = [path, "--weights", str(tmp_path / "w0"), "-o", str(tmp_path / "w1")]
    assert optimize.main(argv) == 1
    assert "expected features to weigh, found none (`add-feature score`" in capsys.readouterr().err


def test_a_min_count_that_leaves_nothing_free(tmp_path, capsys):
    paths = files.write(tmp_path)
    for limits in (["--min-count", "41"], ["--min-count", "39", "--only", "f1"]):
        argv = [paths["coll"], "--weights", paths["w0.stream"], "--inventory", paths["inv"]]
        argv += ["--loss", "expected-bleu", "--cache", paths["cache"], "-o", str(tmp_path / "w1")]
        assert optimize.main([*argv, *limits]) == 2
        assert "optimize: --min-count leaves no weight free" in capsys.readouterr().err
        assert not (tmp_path / "w1").exists()


def test_a_pipe_is_not_read_twice(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "w0").write_text("f 1.0\n")
    argv = [str(tmp_path / "pipe"), "--stream", "--weights", str(tmp_path / "w0")]
    assert optimize.main([*argv, "-o", str(tmp_path / "w1")]) == 2
    assert "--stream reads its input again and again: give a file" in capsys.readouterr().err
