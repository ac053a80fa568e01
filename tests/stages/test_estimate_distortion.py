"""estimate-distortion end to end: its table equals the twin's, and is read as it was meant."""

from __future__ import annotations

import gzip
import random

import numpy as np
import pytest

from campanula.formats.moses.distortion_table import read_distortion_table
from campanula.stages import estimate_distortion
from tests.naive import distortion as naive


def sample(seed, n_pairs=30):
    rng = random.Random(seed)
    pairs = []
    for _ in range(n_pairs):
        source, target = rng.choices("abcdeä", k=rng.randrange(7)), ["x"] * rng.randrange(7)
        every = [(s, t) for s in range(len(source)) for t in range(len(target))]
        pairs.append((source, target, {link for link in every if rng.random() < 0.2}))
    return pairs


def write(folder, pairs):
    """Files of the pairs."""
    columns = {
        "f": [" ".join(source) for source, _, _ in pairs],
        "e": [" ".join(target) for _, target, _ in pairs],
        "a": [" ".join(f"{s}-{t}" for s, t in sorted(links)) for _, _, links in pairs],
    }
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(folder / name) for name in columns]


def check(path, expected, far):
    """The table at a path says what is expected; a word without jumps has those of all words."""
    table = read_distortion_table(path)
    for (side, word, d), p in expected.items():
        row = table.words.index(word.encode()) if word else -1
        found = table.value[["outbound", "inbound"].index(side), row, far + d]
        assert found == pytest.approx(np.log(p), abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("m", "far"), [(50.0, 20), (0.5, 2)])
def test_the_table_equals_the_twin(tmp_path, seed, m, far):
    pairs, out = sample(seed), str(tmp_path / "out")
    how = ["--smoothing", str(m), "--longest", str(far)]
    assert estimate_distortion.main([*write(tmp_path, pairs), *how, "-q", "-o", out]) == 0
    check(out, naive.table(pairs, m, far), far)


def test_probabilities_sum_to_one(tmp_path):
    out = str(tmp_path / "out.gz")
    assert estimate_distortion.main([*write(tmp_path, sample(9)), "-q", "-o", out]) == 0
    total = np.exp(read_distortion_table(out).value.astype(float)).sum(axis=2)
    np.testing.assert_allclose(total, 1.0, atol=1e-4)


def test_gzip_holds_the_same_lines(tmp_path):
    files = write(tmp_path, sample(3))
    for name in ("t", "t.gz"):
        assert estimate_distortion.main([*files, "-q", "-o", str(tmp_path / name)]) == 0
    plain = (tmp_path / "t").read_bytes()
    assert gzip.decompress((tmp_path / "t.gz").read_bytes()) == plain
    words = [line.split(b" ||| ")[1] for line in plain.splitlines() if line.startswith(b"out")]
    assert words[0] == b""
    assert words[1:] == sorted(words[1:])


def test_no_text_gives_the_jumps_of_all_words_alone(tmp_path):
    out = str(tmp_path / "out")
    assert estimate_distortion.main([*write(tmp_path, []), "--longest", "2", "-o", out]) == 0
    lines = [
        f"{side} |||  ||| 0 ||| -2:0.25 0:0.25 1:0.25 2:0.25" for side in ("outbound", "inbound")
    ]
    assert (tmp_path / "out").read_text().splitlines() == lines


@pytest.mark.parametrize("word", ["<s>", "|||", "a|||b"])
def test_reserved_words_are_refused(tmp_path, capsys, word):
    files = write(tmp_path, [(["a"], ["x"], set()), ([word], ["x"], set())])
    assert estimate_distortion.main([*files, "-o", str(tmp_path / "out")]) == 1
    assert f"f: line 2: expected words of text, found the reserved '{word}'" in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "out").exists()


def test_texts_that_do_not_fit_are_refused(tmp_path, capsys):
    files = write(tmp_path, [(["a"], ["x"], {(0, 1)})])
    assert estimate_distortion.main([*files, "-o", str(tmp_path / "out")]) == 1
    assert "a: line 1: expected links i-j with i < 1 and j < 1" in capsys.readouterr().err


def test_flags_that_do_not_fit(tmp_path, capsys):
    files = write(tmp_path, [])
    for longest in ("101", "1", "-1"):
        assert estimate_distortion.main([*files, "--longest", longest]) == 2
    assert estimate_distortion.main(["-", "-", files[2]]) == 2
