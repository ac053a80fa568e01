import io

import numpy as np
import pytest

from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weight_stream import read_weight_stream
from campanula.formats.weights import Weights
from campanula.stages import impute_hope, optimize
from campanula.stages.tuning import tuning_set
from campanula.stages.tuning.losses import LOSSES
from tests.examples import random_lists, write_kbest
from tests.naive import expected_bleu
from tests.naive import rampion as naive
from tests.present import present
from tests.stages.tuning.sharded import files

HARD = ["ramp1", "ramp2", "ramp3", "perceptron-kbest", "perceptron-gamma", "hinge-kbest"]
TERMS = [name for name, loss in LOSSES.items() if loss.has_terms and not loss.needs_references]


@pytest.fixture
def task(tmp_path):
    """A stream of random scored lists, initial weights, and both as plain maps."""
    records, plain = random_lists(seed=5, n_lists=6)
    rng = np.random.default_rng(6)
    theta0 = {name: float(rng.normal()) for name in records[0].names}
    Weights(theta0).write(str(tmp_path / "w0"))
    return write_kbest(tmp_path / "dev.kbest", records), str(tmp_path / "w0"), plain, theta0


def run(*argv):
    assert optimize.main([*map(str, argv), "-q"]) == 0


def objective_of(path):
    line = next(line for line in path.read_text().splitlines() if line.startswith("# objective:"))
    return float(line.split(":")[1])


@pytest.mark.parametrize("loss", HARD)
@pytest.mark.parametrize("C", [0.0, 1.0, 50.0])
def test_weights_and_objective_equal_a_slow_reading_of_algorithm_1(task, tmp_path, loss, C):
    lists, w0, plain, theta0 = task
    settings = ["--cccp-iterations", 4, "--epochs", 3, "--eta", 0.01, "--C", C]
    settings += ["--gamma", 0.7] if loss == "perceptron-gamma" else []
    run(lists, "--weights", w0, "--loss", loss, *settings, "-o", tmp_path / "w1")
    expected = naive.rampion(loss, theta0, plain, 4, 3, 0.01, C, 10.0, 0.7)
    found = Weights.read(str(tmp_path / "w1"))
    assert dict(found) == pytest.approx(expected, abs=1e-9)
    slow = naive.objective(loss, dict(found), plain, 10.0, C, theta0, 0.7)
    assert objective_of(tmp_path / "w1") == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize("loss", TERMS)
def test_cccp_in_steps_gives_the_bytes_of_one_run(task, tmp_path, loss):
    lists, w0, _, _ = task
    common = ["--loss", loss, *(["--alpha", "3"] if LOSSES[loss].reads_cost else [])]
    run(lists, "--weights", w0, *common, "--cccp-iterations", 3, "-o", tmp_path / "w3")
    weights = w0
    for step in range(3):
        hope, new = str(tmp_path / f"hope{step}"), str(tmp_path / f"step{step}")
        argv = [lists, "--weights", weights, *common, "-o", hope, "-q"]
        assert impute_hope.main(argv) == 0
        run(lists, "--weights", weights, *common, "--hope", hope, "--center", w0, "-o", new)
        weights = new
    assert (tmp_path / "w3").read_bytes() == (tmp_path / "step2").read_bytes()


def test_the_shrinking_scalar_is_renormalised(task, tmp_path):
    lists, w0, plain, theta0 = task
    settings = ["--cccp-iterations", 1, "--epochs", 40, "--eta", 0.05, "--C", 40]
    run(lists, "--weights", w0, *settings, "-o", tmp_path / "w1")
    expected = naive.rampion("ramp3", theta0, plain, 1, 40, 0.05, 40.0, 10.0)
    assert dict(Weights.read(str(tmp_path / "w1"))) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("way", [[], ["--stream"]])
@pytest.mark.parametrize("tau", [0.0, 0.03])
def test_the_solvers_of_expected_bleu_equal_a_slow_reading_of_the_paper(task, tmp_path, tau, way):
    lists, w0, plain, theta0 = task
    expected = {
        "sgd --eta 0.3 --epochs 6": expected_bleu.sgd(theta0, plain, tau, 0.3, 6),
        "adagrad --eta 0.2 --epochs 6": expected_bleu.adagrad(theta0, plain, tau, 0.2, 6),
        "rprop --rprop literal --first-step 0.3 --iterations 9": expected_bleu.rprop(
            theta0, plain, tau, 0.3, 9
        ),
    }
    for solver, theta in expected.items():
        settings = ["--loss", "expected-bleu", "--tau", tau, "--solver", *solver.split(), *way]
        run(lists, "--weights", w0, *settings, "-o", tmp_path / "w1")
        found = Weights.read(str(tmp_path / "w1"))
        assert dict(found) == pytest.approx(theta, abs=1e-9)
        slow = -expected_bleu.objective(dict(found), plain, tau)
        assert objective_of(tmp_path / "w1") == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize("solver", ["sgd", "adagrad"])
def test_expected_bleu_descends_where_the_lists_pull_apart(tmp_path, solver):
    """The second list, of little gain, has the larger slope of log E_i, but not of log mean E_i."""
    names = Names()
    records = [
        KBest(sid, Texts.of(["a", "b"]), Features.of([{"f": 1.0}, {}], names), names, gain=gain)
        for sid, gain in enumerate((np.array([0.9, 0.8]), np.array([0.01, 0.05])))
    ]
    lists = write_kbest(tmp_path / "dev.kbest", records)
    Weights({"f": 0.0}).write(str(tmp_path / "w0"))
    settings = ["--loss", "expected-bleu", "--C", 0, "--eta", 1e-2, "--epochs", 200]
    run(lists, "--weights", tmp_path / "w0", "--solver", solver, *settings, "-o", tmp_path / "w1")
    assert objective_of(tmp_path / "w1") < -np.log((0.85 + 0.03) / 2) - 1e-4


def test_a_backward_step_of_l2_is_one_on_all_lists_too(task, tmp_path):
    """FOBOS: the gradient of the loss alone, then theta / (1 + 2 tau eta)."""
    lists, w0, plain, theta0 = task
    settings = ["--loss", "expected-bleu", "--solver", "sgd", "--eta", 0.3, "--epochs", 1]
    run(lists, "--weights", w0, *settings, "--tau", 0.2, "--fobos", "-o", tmp_path / "w1")
    moved = expected_bleu.sgd(theta0, plain, 0.0, 0.3, 1)
    expected = {name: value / (1 + 2 * 0.2 * 0.3) for name, value in moved.items()}
    assert dict(Weights.read(str(tmp_path / "w1"))) == pytest.approx(expected, abs=1e-12)


def assert_fails(argv, status, capsys, out, *words):
    assert optimize.main([*argv, "-o", str(out)]) == status
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    assert all(word in error for word in words), error
    assert not out.exists()


def test_an_unknown_feature_in_the_weights_is_refused(task, tmp_path, capsys):
    lists, w0, _, theta0 = task
    Weights({**theta0, "nobody_0": 1.0}).write(w0)
    assert_fails(
        [lists, "--weights", w0], 1, capsys, tmp_path / "w1", w0, "'nobody_0'", "dev.kbest"
    )


def test_a_feature_without_a_weight_is_refused_or_zero(task, tmp_path, capsys):
    lists, w0, _, theta0 = task
    Weights({name: v for name, v in theta0.items() if name != "LM0"}).write(w0)
    assert_fails([lists, "--weights", w0], 1, capsys, tmp_path / "w1", w0, "'LM0'")
    run(lists, "--weights", w0, "--allow-missing", "--epochs", 1, "-o", tmp_path / "w1")
    assert "LM0" in Weights.read(str(tmp_path / "w1"))


def test_lists_without_gains_are_refused(tmp_path, capsys):
    records, _ = random_lists(seed=1)
    plain = [type(r)(r.sid, r.text, r.features, r.names) for r in records]
    lists = write_kbest(tmp_path / "dev.kbest", plain)
    Weights(dict.fromkeys(records[0].names, 0.0)).write(str(tmp_path / "w0"))
    argv = [lists, "--weights", str(tmp_path / "w0")]
    assert_fails(argv, 1, capsys, tmp_path / "w1", "sentence 0", "score-bleu")


def test_hopes_of_other_lists_are_refused(task, tmp_path, capsys):
    lists, w0, _, _ = task
    others = write_kbest(tmp_path / "other.kbest", random_lists(seed=99, n_lists=6)[0])
    hope = str(tmp_path / "hope")
    argv = ["--weights", w0, "--allow-missing"]
    assert impute_hope.main([others, *argv, "-o", hope, "-q"]) == 0
    assert_fails(
        [lists, *argv, "--hope", hope], 1, capsys, tmp_path / "w1", hope, "sentence", lists
    )


def test_flags_that_do_not_fit_exit_with_2(task, tmp_path, capsys):
    lists, w0, _, _ = task
    argv = [lists, "--weights", w0, "--hope", "x", "--cccp-iterations", "3"]
    assert_fails(argv, 2, capsys, tmp_path / "w1", "--hope", "--cccp-iterations")
    assert_fails([lists, "--weights", w0, "--eta", "9"], 2, capsys, tmp_path / "w1", "--eta")


@pytest.mark.parametrize(
    ("way", "flag"),
    [
        ("--loss ramp3 --solver ssd", "--batch-size 2"),
        ("--loss ramp3 --solver ssd", "--shuffle"),
        ("--loss ramp3 --solver sgd", "--iterations 3"),
        ("--loss expected-bleu --solver rprop", "--eta 0.1"),
        ("--loss expected-bleu --solver lbfgs", "--epochs 3"),
        ("--loss cost --solver line-search", "--tolerance 0.1"),
        ("--loss cost --solver line-search", "--save-each each"),
        ("--loss ramp3 --solver mira", "--decay 0.9"),
        ("--solver batch-mira", "--restarts 2"),
        ("--solver batch-mira", "--C 0 --random-directions 2"),
        ("--loss ramp3 --solver ssd", "--pairs-kept 7"),
        ("--loss ramp2 --solver ssd", "--gamma 2"),
    ],
)
def test_a_flag_that_nothing_reads_is_refused_by_name(task, tmp_path, capsys, way, flag):
    lists, w0, _, _ = task
    argv = [lists, "--weights", w0, *way.split(), *flag.split()]
    named = flag.split()[-2] if " " in flag else flag
    assert_fails(argv, 2, capsys, tmp_path / "w1", named, "does not read")


def test_the_signature_names_what_the_solver_read_and_the_references(task, tmp_path):
    lists, w0, _, _ = task
    (tmp_path / "ref").write_text("a b\n" * 10)
    told = ["--loss", "hinge", "--ref", tmp_path / "ref", "--epochs", 2, "--cccp-iterations", 1]
    run(lists, "--weights", w0, *told, "-o", tmp_path / "w1")
    first = (tmp_path / "w1").read_text().splitlines()[0]
    assert "|epochs:2|eta:0.0001|" in first
    assert "restarts" not in first
    (tmp_path / "ref").write_text("a c\n" * 10)
    run(lists, "--weights", w0, *told, "-o", tmp_path / "w2")
    assert (tmp_path / "w2").read_text().splitlines()[0] != first


def test_all_gains_equal_and_zero_weights_give_finite_weights(tmp_path):
    records, _ = random_lists(seed=3)
    flat = [r.take(np.arange(len(r))) for r in records]
    for record in flat:
        present(record.gain)[:] = 0.5
    lists = write_kbest(tmp_path / "dev.kbest", flat)
    Weights(dict.fromkeys(records[0].names, 0.0)).write(str(tmp_path / "w0"))
    run(lists, "--weights", tmp_path / "w0", "-o", tmp_path / "w1")
    weights = Weights.read(str(tmp_path / "w1"))
    assert weights.keys() == set(records[0].names)
    assert np.isfinite([*weights.values()]).all()


@pytest.mark.parametrize(
    "flags",
    [
        "--loss ramp3 --solver ssd --cccp-iterations 3",
        "--loss soft-ramp3 --solver ssd --cccp-iterations 2",
        "--loss bayes-risk --solver sgd --eta 0.01 --C 0.3",
        "--loss pairwise --solver adagrad --eta 0.05 --L1 0.1 --C 0",
        "--loss expected-bleu --solver adagrad --eta 0.05",
        "--loss bayes-risk --solver adagrad --eta 0.05 --batch-size 0 --C 0.3 --L1 0.1",
        "--loss expected-bleu --solver rprop --iterations 20",
        "--loss log-kbest --solver lbfgs --cccp-iterations 2",
    ],
)
def test_streaming_changes_nothing_but_the_memory(task, tmp_path, monkeypatch, flags):
    lists, w0, _, _ = task
    run(lists, "--weights", w0, *flags.split(), "-o", tmp_path / "held")
    monkeypatch.setattr(tuning_set, "CHUNK_BYTES", 600)
    run(lists, "--weights", w0, *flags.split(), "--stream", "-o", tmp_path / "streamed")
    held, streamed = (Weights.read(str(tmp_path / name)) for name in ("held", "streamed"))
    if "ssd" in flags or "--solver sgd" in flags:
        assert dict(streamed) == dict(held)
    assert dict(streamed) == pytest.approx(dict(held), rel=1e-9)


def test_check_reads_nothing_and_says_whether_the_flags_fit(monkeypatch, capsys):
    nowhere = ["none.kbest", "--weights", "none", "-q", "--check"]
    assert optimize.main([*nowhere, "--loss", "pairwise", "--solver", "lbfgs"]) == 0
    # without a file the input is stdin, which --stream refuses, but --check does not read
    monkeypatch.setattr("sys.stdin", None)
    assert optimize.main([*nowhere[1:], "--loss", "pairwise", "--stream"]) == 0
    assert capsys.readouterr() == ("", "")
    assert optimize.main([*nowhere, "--loss", "ramp3", "--solver", "lbfgs", "--L1", "1"]) == 2
    assert "--solver lbfgs" in capsys.readouterr().err


CLOSE = 1e-12
BY_SHARDS = {
    "expected-bleu": ["--solver", "rprop", "--iterations", "8", "--tau", "1e-3"],
    "bayes-risk": ["--solver", "adagrad", "--epochs", "4", "--batch-size", "0", "--eta", "0.1"],
    "soft-ramp3": ["--solver", "lbfgs", "--iterations", "3", "--cccp-iterations", "2"],
    "ramp3": ["--solver", "ssd", "--cccp-iterations", "3", "--epochs", "2", "--eta", "0.01"],
}


@pytest.mark.parametrize("loss", BY_SHARDS)
def test_shards_give_the_weights_of_the_lists_in_one_stream(tmp_path, loss):
    paths = files.write(tmp_path)
    common = ["--loss", loss, *BY_SHARDS[loss], "--cache", paths["cache"]]
    run(paths["dev.kbest"], "--weights", paths["w0"], *common, "-o", tmp_path / "named")
    expected = dict(Weights.read(str(tmp_path / "named")))
    for source, jobs in (("one.kbest", 1), ("coll", 1), ("coll", 2)):
        out = tmp_path / f"{source}.{jobs}"
        given = ["--weights", paths["w0.stream"], "--jobs", jobs, "-o", out]
        run(paths[source], *given, *common)
        names = Inventory.open(paths["inv"])
        found = dict(zip(names, read_weight_stream(str(out)).theta.tolist(), strict=True))
        assert found == pytest.approx(expected, rel=CLOSE, abs=CLOSE)
    assert (tmp_path / "coll.1").read_bytes() == (tmp_path / "coll.2").read_bytes()


def test_theta_of_every_iteration_is_saved(tmp_path):
    paths = files.write(tmp_path)
    common = ["--loss", "expected-bleu", "--tau", 1e-3, "--cache", paths["cache"]]
    for lists, weights, read in (
        ("dev.kbest", "w0", lambda path: dict(Weights.read(path))),
        ("coll", "w0.stream", lambda path: read_weight_stream(path).theta.tolist()),
    ):
        given = [paths[lists], "--weights", paths[weights], *common]
        each = tmp_path / f"{lists}.each"
        run(*given, "--iterations", 3, "--save-each", each, "-o", tmp_path / "three")
        saved = sorted(path.name for path in each.iterdir())
        assert saved == ["theta.1", "theta.2", "theta.3"]
        assert read(str(each / "theta.3")) == read(str(tmp_path / "three"))
        run(*given, "--iterations", 2, "-o", tmp_path / "two")
        assert read(str(each / "theta.2")) == read(str(tmp_path / "two"))


@pytest.mark.parametrize(
    ("solver", "files_saved"),
    [
        (["--loss", "ramp3", "--solver", "ssd", "--cccp-iterations", 2, "--epochs", 3], 6),
        (["--loss", "ramp3", "--solver", "mira", "--cccp-iterations", 2, "--epochs", 3], 6),
        (["--loss", "bayes-risk", "--solver", "sgd", "--epochs", 3], 3),
        (["--loss", "bayes-risk", "--solver", "lbfgs", "--iterations", 3], 3),
    ],
)
def test_each_solver_saves_its_iterations(tmp_path, solver, files_saved):
    paths = files.write(tmp_path)
    each, out = tmp_path / "each", tmp_path / "w1"
    given = [paths["dev.kbest"], "--weights", paths["w0"], *solver]
    run(*given, "--save-each", each, "-o", out)
    assert len(list(each.iterdir())) == files_saved
    last = dict(Weights.read(str(each / f"theta.{files_saved}")))
    assert last == dict(Weights.read(str(out)))


def test_hopes_of_a_collection_solve_its_inner_problem(tmp_path):
    paths = files.write(tmp_path)
    run_all = ["--weights", paths["w0"], "--inventory", paths["inv"], "--cache", paths["cache"]]
    hope = str(tmp_path / "hope")
    given = [paths["dev.kbest"], "--weights", paths["w0"], "-o", hope, "-q"]
    assert impute_hope.main(given) == 0
    run(paths["coll"], *run_all, "--hope", hope, "-o", tmp_path / "with")
    run(paths["coll"], *run_all, "--cccp-iterations", 1, "-o", tmp_path / "one")
    assert dict(Weights.read(str(tmp_path / "with"))) == pytest.approx(
        dict(Weights.read(str(tmp_path / "one"))), rel=CLOSE
    )


def test_rare_features_keep_the_weight_0(tmp_path):
    paths = files.write(tmp_path)
    names = Inventory.open(paths["inv"])
    given = [paths["coll"], "--weights", paths["w0.stream"], "--inventory", paths["inv"]]
    given += ["--loss", "expected-bleu", "--iterations", 3, "--cache", paths["cache"]]
    run(*given, "--min-count", 6, "-o", tmp_path / "w")
    theta = read_weight_stream(str(tmp_path / "w")).theta
    rare = np.asarray(names.count) < 6
    assert rare.any()
    assert not theta[rare].any()
    assert theta[~rare].all()


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--loss", "bayes-risk", "--solver", "sgd", "--batch-size", "1"], "drop --batch-size"),
        (["--min-count", "2"], None),
    ],
)
def test_what_does_not_go_with_shards_is_refused(tmp_path, capsys, flags, expected):
    paths = files.write(tmp_path)
    argv = [paths["coll"], "--weights", paths["w0.stream"], *flags, "--cache", paths["cache"]]
    assert optimize.main([*argv, "-o", str(tmp_path / "w")]) == (2 if expected else 1)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert (expected or "expected --inventory, for its names") in said
    assert not (tmp_path / "w").exists()


def test_flags_of_an_inventory_want_lists_against_one(tmp_path, capsys):
    paths = files.write(tmp_path)
    argv = [paths["dev.kbest"], "--weights", paths["w0"], "--min-count", "2"]
    assert optimize.main(argv) == 2
    assert "--min-count is for lists against an inventory" in capsys.readouterr().err


def test_lists_against_an_inventory_come_through_a_pipe_as_well(tmp_path, monkeypatch, capsys):
    paths = files.write(tmp_path)
    common = ["--weights", paths["w0.stream"], "--loss", "bayes-risk", "--solver", "rprop"]
    run(paths["one.kbest"], *common, "-o", tmp_path / "file")
    for lists, status in (("one.kbest", 0), ("dev.kbest", 1)):
        with open(paths[lists], "rb") as stream:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
            assert optimize.main([*common, "-q", "-o", str(tmp_path / lists) + ".out"]) == status
    assert (tmp_path / "file").read_bytes() == (tmp_path / "one.kbest.out").read_bytes()
    assert "expected lists against an inventory" in capsys.readouterr().err


@pytest.mark.parametrize("weights", ["w0", "w0.stream"])
def test_weights_that_overflow_are_named_where_names_are_known(tmp_path, capsys, weights):
    paths = files.write(tmp_path)
    each = str(tmp_path / "each")
    argv = [paths["coll"], "--weights", paths[weights], "--inventory", paths["inv"]]
    argv += ["--loss", "bayes-risk", "--solver", "sgd", "--batch-size", "0", "--eta", "1e300"]
    argv += ["--cache", paths["cache"], "--save-each", each, "-o", str(tmp_path / "w1"), "-q"]
    assert optimize.main(argv) == 1
    said = capsys.readouterr().err
    assert said == f"optimize: {each}/theta.2: feature 'f0': expected a finite weight, found inf\n"
    assert not (tmp_path / "w1").exists()
