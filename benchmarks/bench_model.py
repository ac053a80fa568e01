"""Words a second of the model-building commands, beside slow twins and one process of two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.timing import seconds
from stages import align_words, estimate_lm, extract_blocks
from tests.examples import MULTI30K
from tests.naive import extraction as naive_extraction
from tests.naive import kneser_ney as naive_kneser_ney

SENTENCES = 4000
TWIN_SENTENCES = 400  # the twins are slow; their speed shows on fewer


def texts() -> tuple[list[str], list[str], list[str]]:
    """Source, target and links: real captions, or made-up ones where those are absent."""
    names = ("train.de", "train.en", "train.de-en.align")
    if MULTI30K.is_dir():
        columns = [(MULTI30K / name).read_text(encoding="utf-8").split("\n") for name in names]
        return columns[0][:SENTENCES], columns[1][:SENTENCES], columns[2][:SENTENCES]
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


def test_estimate_lm(benchmark, capsys, tmp_path: Path, files: list[str]) -> None:  # type: ignore[no-untyped-def]
    """The whole command, and the estimates alone of the twin."""
    _, target, _ = texts()
    flags = [files[1], "-q", "-o", str(tmp_path / "lm.arpa")]

    def twin() -> None:
        sentences = [line.split(" ") for line in target[:TWIN_SENTENCES]]
        naive_kneser_ney.estimate(sentences, 5, [0.5, 1.0, 1.5])

    benchmark.pedantic(estimate_lm.main, (flags,), rounds=3, warmup_rounds=1)
    speed = words(target) / seconds(lambda: estimate_lm.main(flags))
    other = words(target[:TWIN_SENTENCES]) / seconds(twin, 1)
    with capsys.disabled():
        print(f"\nestimate-lm, ARPA written: {speed:,.0f} words/s")
        print(f"dictionaries, nothing written: {other:,.0f} words/s; ratio {speed / other:.1f}")


def test_extract_blocks(benchmark, capsys, tmp_path: Path, files: list[str]) -> None:  # type: ignore[no-untyped-def]
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


def test_align_words(benchmark, capsys, tmp_path: Path, files: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Both directions at a time beside one after the other."""
    flags = [*files[:2], "-q", "-o", str(tmp_path / "align"), "--samplers", "1"]
    flags += ["--iterations", "16"]

    benchmark.pedantic(align_words.main, (flags,), rounds=1)
    both = SENTENCES / seconds(lambda: align_words.main(flags))
    one = SENTENCES / seconds(lambda: align_words.main([*flags, "--jobs", "1"]))
    with capsys.disabled():
        print(f"\nalign-words, one sampler, 24 sweeps: {both:,.0f} sentence pairs/s")
        print(f"with --jobs 1: {one:,.0f} sentence pairs/s; ratio {both / one:.1f}")
