"""drop-features: rare sparse features go, everything else stays as it was."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import drop_features
from tests.examples import random_lists, write_kbest
from tests.plain import plain

BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_kbest("in", random_lists(7, n_lists=8)[0])
    return tmp_path


def run(*argv: str) -> int:
    return drop_features.main([*argv, "-q"])


def read(path: str) -> list[dict]:
    with Reader(path, KBest) as lists:
        return [plain(kbest) for kbest in lists]


def names_of(path: str) -> list[str]:
    with Reader(path, KBest) as lists:
        for _ in lists:
            pass
        return list(lists.names)


def twin(records: list[dict], min_count: int) -> set[str]:
    """Names that stay: in enough sentences, or in every hypothesis of all of them."""
    count: Counter[str] = Counter()
    for record in records:
        count.update({name for row in record["features"] for name, value in row.items() if value})
    rows = [row for record in records for row in record["features"]]
    dense = set.intersection(*(set(row) for row in rows))
    return {name for row in rows for name in row if name in dense or count[name] >= min_count}


@pytest.mark.parametrize("min_count", [1, 2, 5, 7, 99])
def test_what_few_sentences_have_is_dropped_and_nothing_else(min_count):
    assert run("in", "--min-count", str(min_count), "--names", "kept", "-o", "out") == 0
    before, after = read("in"), read("out")
    kept = twin(before, min_count)
    for record in before:
        record["features"] = [
            {name: value for name, value in row.items() if name in kept}
            for row in record["features"]
        ]
    assert after == before
    assert Path("kept").read_text().splitlines() == names_of("out")
    assert set(names_of("out")) == kept
    dropped = set(names_of("in")) - kept
    assert bool(dropped) == (min_count > 2)


def test_two_is_the_default_and_names_are_in_their_old_order():
    assert run("in", "-o", "a") == run("in", "--min-count", "2", "-o", "b") == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()
    assert names_of("a") == [name for name in names_of("in") if name in set(names_of("a"))]


def test_other_lists_get_the_same_features():
    assert run("in", "--names", "kept", "-o", "out") == 0
    assert run("in", "--keep", "kept", "-o", "again") == 0
    assert read("again") == read("out")
    write_kbest("dev", random_lists(8, n_lists=5)[0])
    assert run("dev", "--keep", "kept", "-o", "dev.out") == 0
    kept = set(Path("kept").read_text().split())
    for before, after in zip(read("dev"), read("dev.out"), strict=True):
        for old, new in zip(before["features"], after["features"], strict=True):
            assert new == {name: value for name, value in old.items() if name in kept}


def test_a_feature_that_one_list_has_in_all_hypotheses_is_not_dense():
    names = Names()
    rows = [
        [{"LM0": 1.5, "block_a": 1.0}, {"LM0": 2.5, "block_a": 1.0}],
        [{"LM0": 0.5, "block_b": 1.0}, {"LM0": 3.5, "zero": 0.0}],
        [{"LM0": 0.5, "block_b": 2.0, "zero": 0.0}],
    ]
    records = [
        KBest(i, Texts.of(["x"] * len(part)), Features.of(part, names), names)
        for i, part in enumerate(rows)
    ]
    write_kbest("lists", records)
    assert run("lists", "--names", "kept", "-o", "out") == 0
    assert Path("kept").read_text().split() == ["LM0", "block_b"]
    with Reader("out", KBest) as lists:
        first, second, third = lists
    assert first.features.dense.tolist() == [[1.5, 2.5]]
    assert second.features.binary_pointer.tolist() == [0, 1, 1]
    assert sorted(third.features.dense[:, 0].tolist()) == [0.5, 2.0]


def test_a_pipe_is_read_once_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert run("in", "-o", "out") == 0
    before = sorted(path.name for path in tmp_path.iterdir())
    with open("in", "rb") as stream:
        done = subprocess.run(
            [BIN / "drop-features"], stdin=stream, capture_output=True, check=True
        )
    assert done.stdout == Path("out").read_bytes()
    assert b" features kept, 8 sentences" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "drop-features: kept: expected names of features, found none"),
        ("LM0 0.5\n", "drop-features: kept: line 1: expected one feature name, found 'LM0 0.5'"),
    ],
)
def test_a_file_that_is_no_list_of_names(text, problem, capsys):
    Path("kept").write_text(text)
    assert run("in", "--keep", "kept", "-o", "out") == 1
    assert capsys.readouterr().err == problem + "\n"
    assert not Path("out").exists()


def test_names_that_no_line_can_hold(capsys):
    names = Names(["LM0", "two words"])
    row = Features.of([{"LM0": 1.0, "two words": 1.0}], names)
    write_kbest("lists", [KBest(i, Texts.of(["x"]), row, names) for i in range(2)])
    assert run("lists", "-o", "out") == 0
    assert run("lists", "--names", "kept", "-o", "other") == 1
    assert "expected a name without blanks, found 'two words'" in capsys.readouterr().err
    assert not Path("other").exists()
    assert not Path("kept").exists()


@pytest.mark.parametrize(
    "flags",
    [
        ["--keep", "kept", "--min-count", "2"],
        ["--keep", "kept", "--names", "names"],
        ["-", "--keep", "-"],
        ["in", "--names", "same", "-o", "same"],
        ["in", "--names", "-"],
    ],
)
def test_flags_that_do_not_fit(flags, capsys):
    assert drop_features.main([*flags, "-q"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_empty_stream_and_many_names():
    write_kbest("none", [])
    assert run("none", "-o", "out") == 0
    assert read("out") == []
    names = Names(f"f{i}" for i in range(5000))
    ids = np.arange(5000, dtype=np.int32)
    none = np.zeros(2, np.int64)
    features = Features.of_dense(ids[:1], np.ones((1, 1)))
    features = features.with_sparse(np.array([0, 4999]), ids[1:], np.ones(4999))
    assert features.sparse_pointer.tolist() == none.tolist()
    few = features.only(ids < 9)
    records = [KBest(i, Texts.of(["x"]), f, names) for i, f in enumerate([few, features])]
    write_kbest("lists", records)
    assert run("lists", "-o", "out") == 0
    assert names_of("out") == [f"f{i}" for i in range(9)]


def test_without_room_for_the_names_there_are_no_lists(capsys):
    assert run("in", "--names", "/dev/full", "-o", "out") == 1
    assert "drop-features: /dev/full: cannot be written" in capsys.readouterr().err
    assert not Path("out").exists()
