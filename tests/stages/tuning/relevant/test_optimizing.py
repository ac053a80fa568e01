"""`optimize` on relevant sets, against a slow reading of the paper."""

import functools
import json

import numpy as np
import pytest

from campanula.formats.weights import Weights
from campanula.stages import optimize
from campanula.stages.tuning.relevant import orders, packed_sets
from tests.examples import write_kbest
from tests.naive import relevant_set as naive
from tests.stages.tuning.relevant.random_sets import (
    FEATURES,
    random_sets,
    records_of,
    sentences_of,
)

UPDATES = {
    "table2": ["--loss", "costmargin"],
    "eq7": ["--loss", "costmargin", "--update", "eq7"],
    "perceptron": ["--loss", "relevant-perceptron"],
}


def written(folder, sets, truth=None):
    """Paths of sets, and the flag of truths."""
    paths = [
        write_kbest(folder / f"set{number}", records_of(lists)) for number, lists in enumerate(sets)
    ]
    if truth is None:
        return paths
    return [*paths, "--truth", write_kbest(folder / "truth", records_of(truth))]


def start(folder, seed=None):
    """Weights to start from, as a map and a file: 0, or at random."""
    rng = np.random.default_rng(seed)
    w0 = {f: 0.0 if seed is None else float(rng.normal()) for f in FEATURES}
    Weights(w0).write(str(folder / "w0"))
    return w0, ["--weights", str(folder / "w0")]


def run(folder, *argv):
    """The new weights, and the objective that stands beside them."""
    out = folder / "w1"
    assert optimize.main([*map(str, argv), "-o", str(out), "-q"]) == 0
    line = next(t for t in out.read_text().splitlines() if t.startswith("# objective:"))
    return dict(Weights.read(str(out))), float(line.split(":")[1])


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("with_truth", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_weights_equal_a_slow_reading_of_the_tables(tmp_path, update, shuffle, with_truth, seed):
    if update == "perceptron" and with_truth:
        return
    sets = random_sets(seed, binary=seed % 2 == 0)
    truth = random_sets(seed + 100, n_sets=1, size=3)[0] if with_truth else None
    w0, weights = start(tmp_path, None if seed == 1 else seed)
    order = [] if shuffle else ["--no-shuffle"]
    flags = [*UPDATES[update], "--eta", 0.05, "--epochs", 40, "--seed", 7, *order]
    found, objective = run(tmp_path, *written(tmp_path, sets, truth), *weights, *flags)
    sentences = sentences_of(sets, truth)
    expected = naive.train(sentences, w0, FEATURES, update, eta=0.05, shuffle=shuffle, seed=7)
    assert found == pytest.approx(expected, abs=1e-9)
    slow = naive.objective(sentences, found, FEATURES, update)
    assert objective == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("update", UPDATES)
def test_l2_and_what_may_move_equal_the_slow_reading(tmp_path, update):
    sets = random_sets(3, binary=False)
    w0, weights = start(tmp_path, 4)
    flags = [*UPDATES[update], "--eta", 0.05, "--epochs", 9, "--lambda", 0.3, "--freeze", "f1*"]
    found, objective = run(tmp_path, *written(tmp_path, sets), *weights, *flags)
    free = [f for f in FEATURES if not f.startswith("f1")]
    sentences = sentences_of(sets)
    expected = naive.train(
        sentences, w0, FEATURES, update, eta=0.05, epochs=9, penalty=0.3, free=free
    )
    assert found == pytest.approx(expected, abs=1e-9)
    assert {f: found[f] for f in found if f not in free} == {
        f: w0[f] for f in FEATURES if f not in free
    }
    slow = naive.objective(sentences, found, FEATURES, update, penalty=0.3, free=free)
    assert objective == pytest.approx(slow, abs=1e-9)


def test_table_ii_with_its_printed_sign_picks_what_violates_least(tmp_path):
    sets = random_sets(5)
    w0, weights = start(tmp_path)
    flags = ["--loss", "costmargin", "--printed-sign", "--eta", 0.05, "--epochs", 5]
    found, _ = run(tmp_path, *written(tmp_path, sets), *weights, *flags)
    sentences = sentences_of(sets)
    train = functools.partial(naive.train, sentences, w0, FEATURES, "table2", eta=0.05, epochs=5)
    assert found == pytest.approx(train(printed_sign=True), abs=1e-9)
    assert found != train()


def test_the_papers_settings_are_the_defaults(tmp_path):
    sets = random_sets(6)
    w0, weights = start(tmp_path)
    for update, eta in (("table2", 1e-4), ("perceptron", 1e-5)):
        found, _ = run(tmp_path, *written(tmp_path, sets), *weights, *UPDATES[update])
        expected = naive.train(sentences_of(sets), w0, FEATURES, update, eta=eta, epochs=40)
        assert found == pytest.approx(expected, abs=1e-12)


def test_beyond_memory_the_order_is_random_in_blocks(tmp_path, monkeypatch):
    for module in (packed_sets, orders):
        monkeypatch.setattr(module, "BLOCK", 4)
    sets = random_sets(7, n_sentences=10)
    w0, weights = start(tmp_path)
    train = functools.partial(
        naive.train, sentences_of(sets), w0, FEATURES, "table2", eta=0.05, epochs=5
    )
    flags = ["--loss", "costmargin", "--eta", 0.05, "--epochs", 5, "--cache", tmp_path / "cache"]
    flags += [*written(tmp_path, sets), *weights, "--memory"]
    for memory, block in ((0, 4), ("1G", None)):
        found, objective = run(tmp_path, *flags, memory)
        assert found == pytest.approx(train(block=block), abs=1e-9)
        assert objective == pytest.approx(
            naive.objective(sentences_of(sets), found, FEATURES, "table2"), abs=1e-9
        )
        made = (tmp_path / "w1").read_text()
        assert f"|order:{'random' if block is None else 'blocks'}|" in made
    assert not list((tmp_path / "cache").iterdir())


def test_in_corpus_order_memory_makes_no_difference(tmp_path):
    _, weights = start(tmp_path)
    flags = ["--loss", "costmargin", "--no-shuffle", "--cache", tmp_path, *weights]
    flags += written(tmp_path, random_sets(9))
    made = []
    for memory in (0, "1G"):
        run(tmp_path, *flags, "--memory", memory)
        made.append((tmp_path / "w1").read_bytes())
    assert made[0] == made[1]
    assert b"|order:corpus|" in made[0]


def test_a_summary_counts_hypotheses_and_what_the_last_set_adds(tmp_path):
    sets = random_sets(8, n_sets=3)
    sets[-1] = [*sets[0][:-1], [("new", {"f3": 1.0}, 0.5)]]
    _, weights = start(tmp_path)
    paths = written(tmp_path, sets)
    flags = ["--loss", "costmargin", "--summary", tmp_path / "summary"]
    _, objective = run(tmp_path, *paths, *weights, *flags)
    found = json.loads((tmp_path / "summary").read_text())
    members = [z for _, union in sentences_of(sets) for z in union]
    assert found["objective"] == objective
    assert found["distinct"] == len(members)
    assert found["entries"] == sum(len(x) for _, x, _ in members)
    assert (found["sentences"], found["hypotheses"], found["new"]) == (6, 18, 1)
    before = (tmp_path / "w1").read_bytes(), (tmp_path / "summary").read_bytes()
    run(tmp_path, *paths, *weights, *flags)
    assert before == ((tmp_path / "w1").read_bytes(), (tmp_path / "summary").read_bytes())


@pytest.mark.parametrize("summary", ["folder", "nofolder/x", "/dev/full"])
def test_without_room_for_the_summary_there_are_no_weights(tmp_path, monkeypatch, capsys, summary):
    written(tmp_path, random_sets(1, n_sets=1))
    start(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    flags = ["--loss", "costmargin", "--weights", "w0", "--summary", summary]
    assert optimize.main(["set0", *flags, "-o", "w1", "-q"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"optimize: {summary}: cannot be written")
    assert not (tmp_path / "w1").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["set0", "set1", "--loss", "ramp3"], "merge them with merge-kbest"),
        (["set0", "--loss", "ramp3", "--truth", "set1"], "--truth is for relevant sets"),
        (["set0", "--loss", "relevant-perceptron", "--truth", "set1"], "drop --truth"),
        (["set0", "--loss", "relevant-perceptron", "--update", "eq7"], "does not read --update"),
        (["set0", "--loss", "costmargin", "--C", "1"], "has --lambda for that; drop --C"),
        (["set0", "--loss", "costmargin", "--solver", "sgd"], "relevant sets go with online"),
        (["set0", "--loss", "ramp3", "--lambda", "1"], "does not read --lambda"),
        (["set0", "--loss", "costmargin", "--center", "0"], "does not read --center"),
        (["set0", "--loss", "costmargin", "--stream"], "drop --stream"),
        (["set0", "--loss", "costmargin", "--update", "eq7", "--printed-sign"], "table2 alone"),
        (["set0", "--loss", "costmargin", "--min-count", "2"], "--min-count is for lists against"),
        (["set0", "--loss", "costmargin", "--engine", "dask"], "does not read --engine"),
        (["set0", "set1", "--loss", "costmargin", "--hope", "h"], "no concave part to impute"),
        (["set0", "--loss", "costmargin", "--memory", "4X"], "such as 500M or 4G, found 4X"),
        (["set0", "--loss", "costmargin", "--eta", "1", "--lambda", "1"], "turn the weights"),
    ],
)
def test_what_does_not_go_together_is_one_line(tmp_path, monkeypatch, capsys, flags, words):
    written(tmp_path, random_sets(1, n_sets=2))
    start(tmp_path)
    monkeypatch.chdir(tmp_path)
    status: int | str | None
    try:
        status = optimize.main([*flags, "--weights", "w0", "-o", "w1"])
    except SystemExit as leaving:
        status = leaving.code
    assert status == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert not (tmp_path / "w1").exists()
