"""align-words end to end: sensible links, the same bytes at each run, pairs that cannot align."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from campanula.stages import align_words
from campanula.stages.bitext.word_aligning import MODELS
from tests.examples import MULTI30K


def write(folder: Path, source: list[str], target: list[str]) -> list[str]:
    for name, lines in (("f", source), ("e", target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(folder / "f"), str(folder / "e")]


def align(folder: Path, files: list[str], *flags: str) -> list[str]:
    out = folder / "align"
    assert align_words.main([*files, *flags, "-q", "-o", str(out)]) == 0
    return out.read_text().splitlines()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Sentences whose translation is the same words, spelt otherwise, backwards."""
    rng = np.random.default_rng(0)
    rows = [rng.choice(20, rng.integers(1, 7), replace=False).tolist() for _ in range(200)]
    return write(
        tmp_path,
        [" ".join(f"f{i}" for i in row) for row in rows],
        [" ".join(f"e{i}" for i in reversed(row)) for row in rows],
    )


@pytest.mark.parametrize("model", MODELS)
def test_every_model_finds_what_is_certain(tmp_path: Path, files: list[str], model: str) -> None:
    source, target = (Path(name).read_text().splitlines() for name in files)
    lines = align(tmp_path, files, "--model", model, "--iterations", "8", "--samplers", "1")
    links = [
        (f.split()[int(i)], e.split()[int(j)])
        for f, e, line in zip(source, target, lines, strict=True)
        for i, j in (link.split("-") for link in line.split())
    ]
    right = sum(f[1:] == e[1:] for f, e in links)
    assert right / len(links) > 0.8
    assert right / sum(len(f.split()) for f in source) > 0.8


def test_the_same_bytes_for_any_jobs_and_others_for_another_seed(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    # words at random: what the samplers find is chance
    texts = [[" ".join(rng.choice(list("abcd"), 6)) for _ in range(50)] for _ in range(2)]
    files = write(tmp_path, *texts)
    one, two, other = (
        align(tmp_path, files, "--iterations", "4", "--samplers", "2", *more)
        for more in (["--jobs", "1"], ["--jobs", "2"], ["--seed", "2"])
    )
    assert one == two
    assert one != other


def test_directions_and_their_joins(tmp_path: Path, files: list[str]) -> None:
    def links(heuristic: str) -> list[set[str]]:
        flags = ("--iterations", "2", "--samplers", "1", "--symmetrise", heuristic)
        return [set(line.split()) for line in align(tmp_path, files, *flags)]

    forward, backward = links("source-to-target"), links("target-to-source")
    assert links("intersection") == [a & b for a, b in zip(forward, backward, strict=True)]
    assert links("union") == [a | b for a, b in zip(forward, backward, strict=True)]
    grown = links("grow-diag-final-and")
    assert all(a & b <= c <= a | b for a, b, c in zip(forward, backward, grown, strict=True))


def test_pairs_that_cannot_align_keep_their_line(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = (Path(name).read_text().splitlines() for name in files)
    source[3], target[5], source[7] = "", " ", " ".join(["f1"] * 1024)
    files = write(tmp_path, source, target)
    out = tmp_path / "align"
    assert align_words.main([*files, "--iterations", "2", "-o", str(out)]) == 0
    lines = out.read_text().split("\n")
    assert len(lines) == len(source) + 1
    assert lines[3] == lines[5] == lines[7] == lines[-1] == ""
    assert lines[4] != ""
    assert "200 sentence pairs, 3 not aligned" in capsys.readouterr().err


def test_no_lines(tmp_path: Path) -> None:
    assert align(tmp_path, write(tmp_path, [], [])) == []
    assert align(tmp_path, write(tmp_path, [""], [""])) == [""]


def test_words_that_the_library_gives_a_meaning(tmp_path: Path) -> None:
    words = ["NULL", "<UNUSED_WORD>", "UNKNOWN_WORD", "a"] * 10
    assert len(align(tmp_path, write(tmp_path, words, words))) == 40


def test_different_lengths_are_one_line_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write(tmp_path, ["a", "b"], ["x"])
    assert align_words.main([*files, "-o", str(tmp_path / "align")]) == 1
    expected = f"align-words: {files[1]}: expected 2 lines as in {files[0]}, found 1\n"
    assert capsys.readouterr().err == expected
    assert not (tmp_path / "align").exists()


@pytest.mark.skipif(not MULTI30K.is_dir(), reason="the shared data is not here")
def test_close_to_the_alignment_of_the_whole_text(tmp_path: Path) -> None:
    texts = []
    for name in ("train.de", "train.en", "train.de-en.align"):
        with open(MULTI30K / name, encoding="utf-8") as lines:
            texts.append([line.rstrip("\n") for line in islice(lines, 1500)])
    found = align(tmp_path, write(tmp_path, *texts[:2]), "--iterations", "8")
    pairs = [(set(a.split()), set(b.split())) for a, b in zip(found, texts[2], strict=True)]
    common = sum(len(a & b) for a, b in pairs)
    assert 2 * common / sum(len(a) + len(b) for a, b in pairs) > 0.75
