"""Reading and writing k-best streams, beside the same lists as msgpack maps, one a hypothesis.

500-best lists of 1,000 sentences with 14 dense features and a score.
"""

from __future__ import annotations

import gzip
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgpack
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.timing import seconds
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from tests.examples import MOSES

N_LISTS, SIZE, N_FEATURES = 1000, 500, 14
N_HYPS = N_LISTS * SIZE


def made_up() -> list[KBest]:
    """Random lists, with texts of thirteen words."""
    rng, names = np.random.default_rng(1), Names(f"feature{i}" for i in range(N_FEATURES))
    ids = np.arange(N_FEATURES, dtype=np.int32)
    words = [f"word{i}" for i in range(1000)]
    lists = []
    for sid in range(N_LISTS):
        text = Texts.of(
            " ".join(words[i] for i in row) for row in rng.integers(1000, size=(SIZE, 13))
        )
        features = Features.of_dense(ids, rng.normal(size=(N_FEATURES, SIZE)))
        lists.append(KBest(sid, text, features, names, score=rng.normal(size=SIZE)))
    return lists


def write(path: Path, lists: list[KBest]) -> None:
    with Writer(str(path), KBest, "benchmark") as out:
        for kbest in lists:
            out.write(kbest)


def read(path: Path) -> float:
    """Read all lists; return a sum over them, so that no reading can be skipped."""
    with Reader(str(path), KBest) as lists:
        return sum(float(kbest.features.dense[0, 0]) + len(kbest.text) for kbest in lists)


def maps(lists: list[KBest]) -> list[list[dict[str, object]]]:
    """The same lists as one map a hypothesis."""
    rows = []
    for kbest in lists:
        assert kbest.score is not None
        columns = (kbest.text, kbest.features.rows(kbest.names), kbest.score.tolist())
        rows.append(
            [{"text": t, "features": f, "score": s} for t, f, s in zip(*columns, strict=True)]
        )
    return rows


def write_maps(path: Path, rows: list[list[dict[str, object]]]) -> None:
    with path.open("wb") as out:
        for row in rows:
            out.write(msgpack.packb(row))


def read_maps(path: Path) -> float:
    """Read all into the arrays that a stage works on."""
    total = 0.0
    with path.open("rb") as file:
        for row in msgpack.Unpacker(file, max_buffer_size=1 << 31):
            dense = np.array([list(hyp["features"].values()) for hyp in row]).T
            total += float(dense[0, 0]) + len(row)
    return total


@pytest.mark.benchmark
def test_read_and_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: BenchmarkFixture
) -> None:
    lists = made_up()
    ours, theirs = tmp_path / "stream", tmp_path / "maps"
    written = seconds(lambda: write(ours, lists))
    rows = maps(lists)
    written_maps = seconds(lambda: write_maps(theirs, rows), 1)
    # both read the same numbers, or the ratio would say nothing
    assert read(ours) == pytest.approx(read_maps(theirs))
    was_read, read_as_maps = seconds(lambda: read(ours)), seconds(lambda: read_maps(theirs), 1)
    with capsys.disabled():
        print()
        for what, path, taken, other in (
            ("write", ours, written, written_maps),
            ("read", ours, was_read, read_as_maps),
        ):
            speed = f"{path.stat().st_size / taken / 1e6:.0f} MB/s"
            print(
                f"stream {what}: {speed}, {N_HYPS / taken / 1e6:.1f} million hypotheses/s;"
                f" {other / taken:.0f} times as fast as msgpack maps"
            )
    benchmark.pedantic(read, (ours,), rounds=3)


def lines(path: Path) -> Iterator[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as text:
        yield from text


def plain_import(path: Path, out: Path) -> None:
    """Convert a Moses list to a stream in plain Python loops, without checks: the baseline."""
    names = Names()
    with Writer(str(out), KBest, "benchmark") as stream:
        for sid, group in itertools.groupby(lines(path), lambda line: line.partition(" ")[0]):
            texts, rows, scores = [], [], []
            for line in group:
                _, text, features, score = line.split(" ||| ")
                values: dict[str, list[float]] = {}
                for token in features.split():
                    if token.endswith("="):
                        last = values[token[:-1]] = []
                    else:
                        last.append(float(token))
                rows.append({name: v for label in values for name, v in named(label, values)})
                texts.append(text.strip())
                scores.append(float(score))
            record = Features.of(rows, names)
            stream.write(KBest(int(sid), Texts.of(texts), record, names, np.array(scores)))


def named(label: str, values: dict[str, list[float]]) -> list[tuple[str, float]]:
    """Feature names and values of a label."""
    several = len(values[label]) > 1
    return [(f"{label}_{i}" if several else label, v) for i, v in enumerate(values[label])]


def sparse_list(path: Path) -> None:
    """A Moses list whose hypotheses have their words and bigrams as features, too."""
    with path.open("w", encoding="utf-8") as out:
        for line in itertools.islice(lines(MOSES / "run1.best100.gz"), 20_000):
            sid, text, features, score = line.rstrip("\n").split(" ||| ")
            words = text.split()
            count = Counter([f"uni_{word}" for word in words])
            count.update(f"bi_{a}~{b}" for a, b in itertools.pairwise(words))
            sparse = " ".join(f"{name}= {value}" for name, value in count.items())
            out.write(f"{sid} ||| {text} ||| {features} {sparse} ||| {score}\n")


@pytest.mark.benchmark
@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_import(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: BenchmarkFixture, kind: str
) -> None:
    """A whole process beside a loop within one that has started."""
    path, out = MOSES / "run1.best100.gz", str(tmp_path / "out")
    if kind == "sparse":
        path = tmp_path / "sparse"
        sparse_list(path)
    command = [sys.executable, "-m", "campanula.stages.import_nbest", str(path), "-q", "-o", out]

    def imported() -> None:
        subprocess.run(command, check=True)

    taken = seconds(imported, 10)
    plain = seconds(lambda: plain_import(path, tmp_path / "plain"), 1)
    with Reader(out, KBest) as lists:
        size = sum(len(kbest) for kbest in lists)
    with capsys.disabled():
        print(
            f"\nimport-nbest, a {kind} Moses list to a stream, the whole process:"
            f" {size / taken:,.0f} hypotheses/s; {plain / taken:.1f} times as fast as plain loops"
        )
    benchmark.pedantic(imported, rounds=3)
