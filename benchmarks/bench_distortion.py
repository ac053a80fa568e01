"""Log probability of held-out jumps under distortion tables, by --smoothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.captions import TRAIN, lines_of
from campanula.formats.moses.distortion_table import START, read_distortion_table
from campanula.formats.text.alignments import read_alignments
from campanula.formats.text.corpus import read_corpus
from campanula.stages import estimate_distortion
from campanula.stages.kernels.bitext import distortion_counts
from tests.examples import MULTI30K

HELD_OUT = 1000  # pairs at the end of the text; the tables are made of those before
SMOOTHING = (1, 10, 20, 50, 100, 300)


def held_out_log(table: str, columns: list[list[str]]) -> list[float]:
    """Mean log p of the jumps of a text: outbound, inbound, and by the table's row of all words.

    columns: source, target and links, a line each sentence.
    """
    source, target = (read_corpus(iter(column), "text", [START.decode()]) for column in columns[:2])
    links = read_alignments(iter(columns[2]), "links")
    before, after, jump = distortion_counts.jumps(
        links.source, links.target, links.start, source.start, target.start
    )
    model = read_distortion_table(table)
    number = {word: n for n, word in enumerate(model.words)}
    # the last row is that of all words, for words that the table lacks
    row = np.array([number.get(word.encode(), len(number)) for word in source.words])
    # a table's columns are the jumps -far to far, and the outermost have all that are longer
    far = model.value.shape[2] // 2
    column = np.clip(jump, -far, far) + far
    begin = source.words.index(START.decode())
    words = np.where(before < 0, begin, source.token[before]), source.token[after]
    means = [float(model.value[side, row[words[side]], column].mean()) for side in range(2)]
    return [*means, float(model.value[0, -1, column].mean())]


@pytest.mark.benchmark(group="distortion")
def test_smoothing(
    benchmark: BenchmarkFixture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not MULTI30K.is_dir():
        pytest.skip("the shared data is not there")
    columns = [lines_of(path) for path in TRAIN]
    files = [str(tmp_path / name) for name in ("source", "target", "links")]
    for file, column in zip(files, columns, strict=True):
        Path(file).write_text("".join(f"{line}\n" for line in column[:-HELD_OUT]), encoding="utf-8")
    rest, table = [column[-HELD_OUT:] for column in columns], str(tmp_path / "table")

    def estimate(m: int) -> list[float]:
        argv = [*files, "--smoothing", str(m), "-q", "-o", table]
        assert estimate_distortion.main(argv) == 0
        return held_out_log(table, rest)

    benchmark.pedantic(estimate, (50,), rounds=1)
    with capsys.disabled():
        print("\ndistortion, mean log p of held-out jumps: outbound, inbound, of all words alone")
        for m in SMOOTHING:
            print(f"  m {m:3d}: " + "  ".join(f"{value:.3f}" for value in estimate(m)))
