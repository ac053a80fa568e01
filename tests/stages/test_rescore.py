"""The rescore command: threads, weights that must fit, and what decode writes."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import decode, rescore
from tests.examples import random_lists, write_kbest
from tests.lattices import random_features, random_lattice, write_lattices
from tests.small_models import random_model, write_model


def packed(records):
    return [record.pack(record.names) for record in records]


@pytest.fixture
def setting(tmp_path):
    """A lattice stream, weights, and a feature list, as flags."""
    names = Names(["LM0", "WordPenalty0"])
    lattices = [random_lattice(seed, sid=seed, names=names) for seed in range(6)]
    write_lattices(tmp_path / "l", lattices)
    features = random_features(1, 0.2)
    weights = {"LM0": 0.3, "WordPenalty0": 0.8}
    weights |= {feature.name: 0.25 for feature in features}
    Weights(weights).write(str(tmp_path / "w"))
    (tmp_path / "list").write_text("".join(f"{feature.name}\n" for feature in features))
    return tmp_path


def run(folder, *flags, out="out"):
    flags = ("--weights", str(folder / "w"), "-q", "-o", str(folder / out), *flags)
    return rescore.main([str(folder / "l"), *flags])


def test_any_number_of_threads_writes_the_same(setting):
    flags = ("--feature-list", str(setting / "list"))
    assert run(setting, *flags) == run(setting, *flags, "--jobs", "3", out="other") == 0
    assert (setting / "out").read_bytes() == (setting / "other").read_bytes()
    with Reader(str(setting / "out"), KBest) as lists:
        assert [kbest.sid for kbest in lists] == list(range(6))
        assert "command:rescore" in lists.signature
        assert lists.signature.endswith(" < test")


def test_weights_must_fit(setting, capsys):
    assert run(setting) == 1
    assert "unknown feature" in capsys.readouterr().err
    assert run(setting, "--allow-missing") == 0
    (setting / "w").write_text("LM0 1\n")
    assert run(setting, "--feature-list", str(setting / "list"), out="none") == 1
    assert "expected a weight, found none" in capsys.readouterr().err
    assert not (setting / "none").exists()


def test_bad_inputs_are_one_line(setting, capsys):
    (setting / "list").write_text("LM0\n")
    assert run(setting, "--feature-list", str(setting / "list")) == 1
    assert "list: line 1: expected a sparse feature such as" in capsys.readouterr().err
    assert run(setting, "--feature-list", "-", "--feature-list", "-") == 2
    write_kbest(setting / "l", random_lists(1)[0])
    assert run(setting) == 1
    assert "expected a stream of kind 'lattice', found 'kbest'" in capsys.readouterr().err
    assert not (setting / "out").exists()


def test_numbers_that_scores_could_overflow_with_are_named(setting, capsys):
    (setting / "w").write_text("LM0 1e308\nWordPenalty0 1\n")
    assert run(setting) == 1
    assert "feature 'LM0': expected a weight of at most 1e+200" in capsys.readouterr().err
    (setting / "w").write_text("LM0 1e200\nWordPenalty0 1\n")
    lattice = random_lattice(1)
    lattice.dense[1, 0] = -1e300
    write_lattices(setting / "l", [lattice])
    assert run(setting) == 1
    error = capsys.readouterr().err
    assert "sentence 0: feature 'WordPenalty0': expected values of at most 1e+100" in error
    assert not (setting / "out").exists()


def test_a_lattice_with_a_feature_twice_is_one_line(setting, capsys):
    lattice = random_lattice(1)
    write_lattices(setting / "l", [replace(lattice, dense_id=np.zeros(2, np.int32))])
    assert run(setting) == 1
    assert "sentence 0: feature 'LM0' stands here for the second time" in capsys.readouterr().err
    assert not (setting / "out").exists()


def test_a_cut_stream_writes_nothing(setting, capsys):
    data = (setting / "l").read_bytes()
    (setting / "l").write_bytes(data[:-1])
    assert run(setting, "--feature-list", str(setting / "list")) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (setting / "out").exists()


def test_the_same_feature_in_two_lists_counts_once(setting):
    (setting / "list2").write_text((setting / "list").read_text())
    flags = ("--feature-list", str(setting / "list"))
    assert run(setting, *flags) == 0
    assert run(setting, *flags, "--feature-list", str(setting / "list2"), out="other") == 0
    assert (setting / "out").read_bytes() == (setting / "other").read_bytes()


@pytest.fixture
def decoded(tmp_path):
    """Flags of decode for a small model, and its weights."""
    model = random_model(random.Random(4), 2, True)
    files = write_model(model, tmp_path)
    Weights(dict(model.weights)).write(str(tmp_path / "w"))
    (tmp_path / "source").write_text("a b c\n\nb ä d\n", encoding="utf-8")
    flags = [
        "--phrase-table",
        files.phrase_table,
        "--reordering-table",
        files.reordering_tables[0].path,
    ]
    flags += ["--lm", files.lms[0].path, "--weights", str(tmp_path / "w"), "-q"]
    return [*flags, "--cache", str(tmp_path / "cache"), str(tmp_path / "source")]


LISTED = ["uni_u", "bigram_v~u", "trigger_u~~v", "pair_b~~w", "trigram_u~v~w"]


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--distinct", "-k", "20"],
        ["--beam", "5", "-k", "9"],
        ["--features", "block-orientation,boundary", "--feature-list", "list"],
    ],
)
def test_decode_writes_what_rescore_reads(decoded, tmp_path, flags):
    if "list" in flags:
        (tmp_path / "list").write_text("".join(f"{name}\n" for name in LISTED))
        with open(tmp_path / "w", "a", encoding="utf-8") as file:
            file.write("bound_ä~~u 1\nback_R_a~~w 2\nforw_N_b~~w 5\ntrigger_u~~v -1\nuni_u 0.5\n")
            file.write("bigram_v~u 0\n")
        flags = [str(tmp_path / "list") if flag == "list" else flag for flag in flags]
    paths = {name: str(tmp_path / name) for name in ("k", "alone", "l", "l3", "again")}
    assert decode.main([*decoded, *flags, "-o", paths["alone"]]) == 0
    assert decode.main([*decoded, *flags, "-o", paths["k"], "--lattice", paths["l"]]) == 0
    threads = ["--jobs", "3", "-o", paths["k"], "--lattice", paths["l3"]]
    assert decode.main([*decoded, *flags, *threads]) == 0
    assert (tmp_path / "l").read_bytes() == (tmp_path / "l3").read_bytes()
    assert (tmp_path / "k").read_bytes() == (tmp_path / "alone").read_bytes()
    own = [flag for flag in flags if flag not in ("--beam", "5")]
    if "--features" in own:
        own = own[2:]  # a lattice says its templates itself
    weights = ["--weights", str(tmp_path / "w"), "-q", "-o", paths["again"]]
    assert rescore.main([paths["l"], *weights, *own]) == 0
    with Reader(paths["k"], KBest) as ours, Reader(paths["again"], KBest) as again:
        assert packed(ours) == packed(again)


def test_odd_words_and_blocks_without_target(tmp_path):
    """An empty line, unknown words, words of signs that names use, a block that says nothing."""
    scores = " ||| 0.5 0.5 0.5 0.5\n"
    blocks = ["a ||| u", "b ||| ", "c ||| w~%,= 𝔘"]
    (tmp_path / "table").write_text("".join(block + scores for block in blocks), encoding="utf-8")
    (tmp_path / "source").write_text("a b c\n\nq~ a b | c\nb\n", encoding="utf-8")
    listed = ["uni_w%7E%25%2C%3D", "bigram_u~w%7E%25%2C%3D", "trigger_u~~𝔘", "pair_q%7E~~q%7E"]
    listed += ["trigger_%7C~~u"]
    (tmp_path / "list").write_text("\n".join(listed), encoding="utf-8")
    Weights(dict.fromkeys(listed, 0.5)).write(str(tmp_path / "w"))
    flags = ["--weights", str(tmp_path / "w"), "--feature-list", str(tmp_path / "list"), "-q"]
    flags += ["--allow-missing", "-k", "1"]
    out = [str(tmp_path / name) for name in ("k", "again", "l")]
    model = ["--phrase-table", str(tmp_path / "table"), "--cache", str(tmp_path / "cache")]
    model += ["--features", "block,boundary", "--reordering", "monotone", "--lattice", out[2]]
    assert decode.main([*flags, *model, str(tmp_path / "source"), "-o", out[0]]) == 0
    assert rescore.main([*flags, out[2], "-o", out[1]]) == 0
    with Reader(out[0], KBest) as lists, Reader(out[1], KBest) as again:
        records = list(lists)
        assert packed(records) == packed(again)
    rows = [set(next(record.features.sparse_rows(record.names))) for record in records]
    known = {"block_a~~u", "block_b~~", "block_c~~w%7E%25%2C%3D~𝔘"}
    assert rows[0] == {*listed[:3], *known, "bound_u~~w%7E%25%2C%3D"}
    unknown = {"block_q%7E~~q%7E", "block_%7C~~%7C"}
    seams = {"bound_q%7E~~u", "bound_u~~%7C", "bound_%7C~~w%7E%25%2C%3D"}
    assert rows[2] == {listed[0], *listed[2:4], *known, *unknown, *seams}
    assert [rows[1], rows[3]] == [set(), {"block_b~~"}]


def test_decode_writes_both_streams_or_none(decoded, tmp_path, capsys):
    out, lattice = str(tmp_path / "k"), str(tmp_path / "l")
    assert decode.main([*decoded, "-o", out, "--lattice", out]) == 2
    assert decode.main([*decoded, "--lattice", "-"]) == 2
    (tmp_path / "source").write_bytes(b"a b\n\xff\n")
    assert decode.main([*decoded, "-o", out, "--lattice", lattice]) == 1
    assert "expected UTF-8" in capsys.readouterr().err
    assert not (tmp_path / "k").exists()
    assert not (tmp_path / "l").exists()
