import gzip

import pytest

from campanula.stages import growth_transform, import_weights, index_features
from tests.naive import growth as naive
from tests.stages.growth.problems import COPY, KEYS, Problem, block, read_scores
from tests.stages.growth.test_transform import sums_of

SEED = 2


@pytest.fixture
def given(tmp_path):
    problem = Problem(SEED, n_lists=7)
    assert block(COPY) in problem.names
    return problem, *problem.write(tmp_path)


def run(*argv):
    return growth_transform.main([*map(str, argv), "-q"])


def test_the_table_is_that_of_the_slow_reading_and_keeps_the_rest(given, tmp_path, capsys):
    problem, lists, table, weights = given
    out = str(tmp_path / "out.gz")
    argv = [lists, "--phrase-table", table, "--weights", weights, "--tau", "1e-3"]
    assert growth_transform.main([*argv, "--iterations", "5", "-o", out]) == 0
    tables, history, doubled = naive.transform(
        problem.plain, problem.table, problem.weights, KEYS, 1e-3, 5
    )
    found, lines = read_scores(out)
    for side in (0, 1):
        assert found[side] == pytest.approx(tables[-1][side], abs=1e-9)
        assert sums_of(found[side]) == pytest.approx([1.0] * len(sums_of(found[side])), abs=1e-12)
    for line, before in zip(lines, problem.lines(), strict=True):
        own, old = line.split(" ||| "), before.split(" ||| ")
        assert own[:2] + own[3:] == old[:2] + old[3:]
        assert own[2].split()[1::2] == old[2].split()[1::2]
    said = capsys.readouterr().err
    assert f"of {len(problem.rows)} rows fire in the lists\n" in said
    assert "p(e|f) summed to 1 within" in said
    last = said.splitlines()[-1]
    assert "after 5 steps" in last
    assert f"D doubled {doubled} times; iterations done" in last
    assert float(last.split("objective ")[1].split()[0]) == pytest.approx(history[-1], abs=1e-9)


def test_every_form_of_lists_gives_the_table(given, tmp_path):
    _, lists, table, weights = given
    common = ["--phrase-table", table, "--iterations", 4, "--cache", tmp_path / "cache"]
    assert run(lists, *common, "--weights", weights, "-o", tmp_path / "named") == 0
    inventory = ["--inventory", str(tmp_path / "inv")]
    assert index_features.main([lists, *inventory, "-q", "-o", str(tmp_path / "one")]) == 0
    extend = ["--extend", str(tmp_path / "inv"), "--shards", "3", "-q"]
    assert index_features.main([lists, *extend, "-o", str(tmp_path / "shards")]) == 0
    stream = str(tmp_path / "w.stream")
    assert import_weights.main([weights, *inventory, "-q", "-o", stream]) == 0
    expected, _ = read_scores(str(tmp_path / "named"))
    bytes_of: dict[str, bytes] = {}
    for form, own, jobs in (
        ("one", weights, 1), ("shards", weights, 1), ("shards", stream, 2), ("shards", stream, 1),
    ):  # fmt: skip
        out = tmp_path / "out"
        argv = [tmp_path / form, *common, *inventory, "--weights", own, "--jobs", jobs]
        assert run(*argv, "-o", out) == 0
        found, _ = read_scores(str(out))
        for side in (0, 1):
            assert found[side] == pytest.approx(expected[side], abs=1e-12)
        assert bytes_of.setdefault(form, out.read_bytes()) == out.read_bytes()


def test_tables_after_each_step_are_saved(given, tmp_path):
    _, lists, table, weights = given
    common = [lists, "--phrase-table", table, "--weights", weights]
    each, some = tmp_path / "each", tmp_path / "some"
    assert run(*common, "--iterations", 3, "--save-each", each, "-o", tmp_path / "t3") == 0
    names = [f"phrase-table.{n}.gz" for n in (1, 2, 3)]
    assert sorted(path.name for path in each.iterdir()) == names
    assert gzip.decompress((each / names[2]).read_bytes()) == (tmp_path / "t3").read_bytes()
    assert run(*common, "--iterations", 2, "-o", tmp_path / "t2.gz") == 0
    assert (each / names[1]).read_bytes() == (tmp_path / "t2.gz").read_bytes()
    saved = ["--save-each", some, "--save-at", "1,3"]
    assert run(*common, "--iterations", 3, *saved, "-o", tmp_path / "t3") == 0
    assert sorted(path.name for path in some.iterdir()) == [names[0], names[2]]


def test_a_filtered_table_is_not_divided(given, tmp_path, capsys):
    """A table whose sums are above one is refused then; one below keeps what it lacks."""
    problem, lists, table, weights = given
    common = [lists, "--phrase-table", table, "--weights", weights, "--filtered", "--tau", 0]
    out = tmp_path / "out"
    problem.scores /= 3.0
    problem.write(tmp_path)
    before, _ = read_scores(table)
    assert run(*common, "--iterations", 3, "-o", out) == 0
    found, _ = read_scores(str(out))
    assert found != before
    problem.scores[:] = 0.9
    problem.write(tmp_path)
    out.unlink()
    assert run(*common, "-o", out) == 1
    said = capsys.readouterr().err
    assert said.startswith("growth-transform: ")
    assert said.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--phrase-table", "-"], "give a file"),
        (["--phrase-table", "t", "--save-at", "1"], "give both"),
        (
            ["--phrase-table", "t", "--save-each", "d", "--save-at", "3,41"],
            "41: there are 40 steps",
        ),
        (
            ["--phrase-table", "t", "--save-each", "d", "--summary", "d/phrase-table.7.gz"],
            "another",
        ),
    ],
)
def test_flags_that_do_not_go_together_exit_with_2(tmp_path, capsys, flags, expected):
    assert run("none", "--weights", "w", *flags, "-o", tmp_path / "out") == 2
    assert expected in capsys.readouterr().err


def test_an_inventory_that_the_lists_are_not_against_is_refused(given, tmp_path, capsys):
    _, lists, table, weights = given
    common = [lists, "--phrase-table", table, "--weights", weights, "-o", tmp_path / "out"]
    assert run(*common, "--inventory", tmp_path / "inv") == 2
    assert "--inventory is for lists against an inventory" in capsys.readouterr().err


def test_a_damaged_table_is_one_line(given, tmp_path, capsys):
    _, lists, _, weights = given
    (tmp_path / "t").write_text("a ||| b ||| 0.5 0.5 0.5 0.5\na ||| c\n")
    argv = [lists, "--phrase-table", tmp_path / "t", "--weights", weights]
    assert run(*argv, "-o", tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "t: line 2: expected 3 fields" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("flags", [["-o", "x"], ["--summary", "x"], ["--save-each", "each"]])
def test_a_folder_in_the_place_of_an_output_is_one_line_before_any_step(
    given, tmp_path, capsys, monkeypatch, flags
):
    _, lists, table, weights = given
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(growth_transform, "transform", None)
    (tmp_path / "x").mkdir()
    (tmp_path / "each" / "phrase-table.2.gz").mkdir(parents=True)
    argv = [lists, "--phrase-table", table, "--weights", weights, "-o", "out", *flags]
    assert run(*argv) == 1
    said = capsys.readouterr().err
    assert said.endswith(": cannot be written: Is a directory\n")
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()
