"""Words a second of the model-building commands, beside slow twins and one process of two; and what
a large model costs to compile and to start with.

CAMPANULA_BLOCKS=10000000 sets the size of that one; it takes 200 bytes of text a block, and 110
compiled.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.captions import TRAIN, lines_of
from benchmarks.timing import seconds
from campanula.stages import align_words, estimate_lm, extract_blocks
from tests.examples import MULTI30K
from tests.naive import extraction as naive_extraction
from tests.naive import kneser_ney as naive_kneser_ney

SENTENCES = 4000
TWIN_SENTENCES = 400  # the twins are slow; their speed shows on fewer


def texts() -> tuple[list[str], list[str], list[str]]:
    """Source, target and links: real captions, or made-up ones where those are absent."""
    if MULTI30K.is_dir():
        source, target, links = (lines_of(path, SENTENCES) for path in TRAIN)
        return source, target, links
    rng = np.random.default_rng(1)
    rows = [rng.zipf(1.3, 12) % 5000 for _ in range(SENTENCES)]
    target = [" ".join(f"word{i}" for i in row) for row in rows]
    return (
        [line.replace("word", "wort") for line in target],
        target,
        [" ".join(f"{i}-{i}" for i in range(12))] * SENTENCES,
    )


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / name for name in ("source", "target", "links")]
    for path, lines in zip(paths, texts(), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(path) for path in paths]


def words(lines: list[str]) -> int:
    return sum(len(line.split(" ")) for line in lines)


def test_estimate_lm(
    benchmark: BenchmarkFixture,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    files: list[str],
) -> None:
    """The whole command, and the estimates alone of the twin."""
    _, target, _ = texts()
    flags = [files[1], "-q", "-o", str(tmp_path / "lm.arpa")]

    def twin() -> None:
        sentences = [line.split(" ") for line in target[:TWIN_SENTENCES]]
        # the fallback discounts of our estimate, which the twin is given and does not estimate
        naive_kneser_ney.estimate(sentences, 5, [0.5, 1.0, 1.5])

    benchmark.pedantic(estimate_lm.main, (flags,), rounds=3, warmup_rounds=1)
    speed = words(target) / seconds(lambda: estimate_lm.main(flags))
    other = words(target[:TWIN_SENTENCES]) / seconds(twin, 1)
    with capsys.disabled():
        print(f"\nestimate-lm, ARPA written: {speed:,.0f} words/s")
        print(f"dictionaries, nothing written: {other:,.0f} words/s; ratio {speed / other:.1f}")


def test_extract_blocks(
    benchmark: BenchmarkFixture,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    files: list[str],
) -> None:
    """The whole command beside the twin, which tries every pair of spans."""
    tables = ["--phrase-table", str(tmp_path / "pt"), "--reordering-table", str(tmp_path / "rt")]
    flags = [*files, *tables, "-q"]
    source, target, links = texts()

    def twin() -> None:
        rows = list(zip(source, target, links, strict=True))[:TWIN_SENTENCES]
        naive_extraction.tables(
            [
                (f.split(" "), e.split(" "), {(int(s), int(t)) for s, t in _points(line)})
                for f, e, line in rows
            ]
        )

    benchmark.pedantic(extract_blocks.main, (flags,), rounds=3, warmup_rounds=1)
    speed = len(source) / seconds(lambda: extract_blocks.main(flags))
    other = TWIN_SENTENCES / seconds(twin, 1)
    with capsys.disabled():
        print(f"\nextract-blocks, both tables: {speed:,.0f} sentence pairs/s")
        print(f"every pair of spans: {other:,.0f} sentence pairs/s; ratio {speed / other:.1f}")


def _points(line: str) -> list[list[str]]:
    return [link.split("-") for link in line.split()]


def test_align_words(
    benchmark: BenchmarkFixture,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    files: list[str],
) -> None:
    """Both directions at a time beside one after the other."""
    flags = [*files[:2], "-q", "-o", str(tmp_path / "align"), "--samplers", "1"]
    # 16 sweeps of the last stage, and 4 of each of the two before it: the 24 printed below
    flags += ["--iterations", "16"]

    benchmark.pedantic(align_words.main, (flags,), rounds=1)
    both = SENTENCES / seconds(lambda: align_words.main(flags))
    one = SENTENCES / seconds(lambda: align_words.main([*flags, "--jobs", "1"]))
    with capsys.disabled():
        print(f"\nalign-words, one sampler, 24 sweeps: {both:,.0f} sentence pairs/s")
        print(f"with --jobs 1: {one:,.0f} sentence pairs/s; ratio {both / one:.1f}")


BLOCKS = int(os.environ.get("CAMPANULA_BLOCKS", "500000"))
LENGTHS = [0.06, 0.2, 0.25, 0.2, 0.14, 0.09, 0.06]  # of phrases of 1 to 7 words
LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
STEP = 200_000  # blocks that are made at a time
WEIGHTS = "Distortion0 0.3\nWordPenalty0 -1\nPhrasePenalty0 0.2\nUnknownWordPenalty0 1\n"
WEIGHTS += "".join(f"TranslationModel0_{k} 0.2\n" for k in range(4))
WEIGHTS += "".join(f"LexicalReordering0_{k} 0.3\n" for k in range(6))
COMPILE = """
import sys
from campanula.formats.model.files import ModelFiles, ReorderingTable
from campanula.formats.model.model import load_model
load_model(ModelFiles(sys.argv[1], (ReorderingTable(sys.argv[2]),)), sys.argv[3])
"""


def write_tables(folder: Path, n_blocks: int) -> None:
    """Made-up tables of phrases and of reordering: Zipf's words, a source's targets together."""
    rng = np.random.default_rng(1)
    # words grow with the table, as the vocabulary of a larger text does
    size = max(1000, min(400_000, n_blocks // 25))
    words = made_words(2 * size, rng)
    zipf = np.cumsum(1 / np.arange(1, size + 1) ** 0.9)

    def phrases(count: int, words: list[str]) -> list[str]:
        length = rng.choice(7, count, p=LENGTHS) + 1
        word = np.searchsorted(zipf / zipf[-1], rng.random(int(length.sum()))).tolist()
        ends = np.cumsum(length).tolist()
        bounds = zip([0, *ends[:-1]], ends, strict=True)
        return [" ".join([words[i] for i in word[a:b]]) for a, b in bounds]

    four, six = made_scores(4, rng), made_scores(6, rng)
    tables = [folder / "phrase-table", folder / "reordering-table"]
    with tables[0].open("w") as table, tables[1].open("w") as reordering:
        for start in range(0, n_blocks, STEP):
            n = min(STEP, n_blocks - start)
            # with the exponent 2 the law has no mean: unbounded, one source might get most blocks
            several = np.minimum(rng.zipf(2.0, n), 1000)  # targets of a source
            several = several[: int(np.searchsorted(np.cumsum(several), n)) + 1]
            sources = phrases(len(several), words[:size])
            targets = phrases(n, words[size:])
            owner = np.repeat(np.arange(len(several)), several)[:n].tolist()
            which, count = rng.integers(0, len(four), (2, n)).tolist(), rng.geometric(0.4, (n, 3))
            for i, (e, f, both) in enumerate(count.tolist()):
                pair = f"{sources[owner[i]]} ||| {targets[i]} ||| "
                table.write(f"{pair}{four[which[0][i]]} ||| 0-0 ||| {e} {f} {both} ||| |||\n")
                reordering.write(f"{pair}{six[which[1][i]]}\n")


def made_words(count: int, rng: np.random.Generator) -> list[str]:
    """Different words, the short ones first."""
    letters = np.array(list(LETTERS))
    # twice as many as are wanted, since short ones come up more than once
    lengths = rng.integers(2, 10, 2 * count).tolist()
    rows = letters[rng.integers(0, 26, (2 * count, 9))].tolist()
    different = {"".join(row[:k]): None for row, k in zip(rows, lengths, strict=True)}
    return sorted(list(different)[:count], key=len)


def made_scores(width: int, rng: np.random.Generator) -> list[str]:
    """Fields of scores."""
    rows = np.exp(-rng.exponential(2.0, (20_000, width))).tolist()
    return [" ".join(f"{value:.6g}" for value in row) for row in rows]


def plain_table(path: Path) -> dict[str, list[tuple[list[str], list[float]]]]:
    """The blocks of a table by source, in plain Python loops."""
    blocks: dict[str, list[tuple[list[str], list[float]]]] = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            source, target, scores = line.split(" ||| ")[:3]
            values = [log(float(score)) for score in scores.split()]
            blocks.setdefault(source, []).append((target.split(" "), values))
    return blocks


@pytest.mark.benchmark
def test_large_model(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Compiling, in a process of its own, and `decode` of one sentence from what it left."""
    write_tables(tmp_path, BLOCKS)
    table, reordering, cache = (tmp_path / n for n in ("phrase-table", "reordering-table", "cache"))
    files, environment = [str(table), str(reordering)], {**os.environ, "PYTHONPATH": os.getcwd()}
    # a process of its own, whose peak is not that of this one, which wrote the tables
    compiling = [sys.executable, "-c", COMPILE, *files, str(cache)]
    taken = seconds(lambda: subprocess.run(compiling, check=True, env=environment), 1)
    # of the largest child that has ended (kB on Linux): read before `decode` runs below
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    stored = sum(file.stat().st_size for file in cache.rglob("*.npy"))
    (tmp_path / "w").write_text(WEIGHTS)
    with table.open() as lines:
        (tmp_path / "in").write_text(next(lines).split(" |||")[0] + "\n")
    command = [
        sys.executable,
        "-m",
        "campanula.stages.decode",
        "--phrase-table",
        files[0],
        "--cache",
    ]
    command += [str(cache), "--reordering-table", files[1], "--weights", str(tmp_path / "w"), "-q"]
    command += ["-k", "1", str(tmp_path / "in"), "-o", str(tmp_path / "out")]

    def start() -> None:
        subprocess.run(command, check=True)

    start()
    started, plain = seconds(start), seconds(lambda: plain_table(table), 1)
    with capsys.disabled():
        print(
            f"\n{BLOCKS:,} blocks with reordering: compiled in {taken:.0f} s, {peak:.1f} GB,"
            f" {stored / BLOCKS:.0f} bytes a block; decode of one sentence: {started:.2f} s, the"
            f" whole process; plain loops, without reordering: {plain:.0f} s each time,"
            f" {plain / started:.0f} times as long"
        )
    benchmark.pedantic(start, rounds=3)
