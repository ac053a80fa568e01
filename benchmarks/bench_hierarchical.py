"""Hierarchical orientations of real lists: how often the search's are not the definition's, and the
time that a search with such a table takes.

On Moses's German-English model and the Multi30k validation set; the table is made of its training
text.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bench_decode import weight
from benchmarks.captions import TRAIN, lines_of
from benchmarks.timing import seconds
from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.model.files import HIERARCHICAL, ModelFiles, ReorderingTable
from campanula.formats.model.folder import read_model_folder
from campanula.formats.model.model import load_model
from campanula.formats.records.lattice import Lattice
from campanula.stages import extract_blocks
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.paths import best_paths
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.kernels.hierarchical import BACK, exact_turns, search_turns
from tests.examples import MOSES, MULTI30K

SENTENCES = 200
LIST = 100


def hierarchical_table(folder: Path) -> ReorderingTable:
    """A table of hierarchical orientations of the blocks of the validation set."""
    path = str(folder / "hierarchical.gz")
    flags = ["-o", str(folder / "blocks.gz"), "--reordering-table", path, "-q"]
    flags += ["--orientation", HIERARCHICAL, "--filter", str(MULTI30K / "val.de")]
    assert extract_blocks.main([*TRAIN, *flags]) == 0
    return ReorderingTable(path, HIERARCHICAL)


def differing(lattice: Lattice) -> tuple[int, int, int, int]:
    """Orientations of a list, those that are not the definition's, backward and forward, and the
    derivations that have one.
    """
    paths = best_paths(lattice, None, LIST, False)
    hyp = np.repeat(np.arange(len(paths.offset) - 1), lengths_of(paths.offset))
    start, end = (side[paths.arc].astype(np.int64) for side in (lattice.start, lattice.end))
    found, exact = (turns(hyp, start, end) for turns in (search_turns, exact_turns))
    unlike = found != exact
    backward, forward = int(unlike[:, BACK].sum()), int(unlike[:, 1 - BACK].sum())
    # -1 where a derivation's first step has no step before it
    return int((found >= 0).sum()), backward, forward, len(np.unique(hyp[unlike.any(axis=1)]))


@pytest.mark.skipif(not MOSES.is_dir(), reason="needs the shared data")
@pytest.mark.benchmark(group="hierarchical")
def test_hierarchical_orientations(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Counts on 100-best lists, and times of a search that has a word-based table."""
    lines = lines_of("val.de", SENTENCES)
    given = read_model_folder(str(MOSES))
    table = hierarchical_table(tmp_path)

    def decoder(files: ModelFiles) -> Decoder:
        # the features and labels of moses.ini are those of its own reordering table
        model = load_model(replace(files, features=None, labels=()), str(tmp_path))
        theta = np.array([weight(name) for name in model.feature_names()])
        return Decoder(model, theta, SearchSettings(k=LIST))

    words = decoder(given)
    one = decoder(replace(given, reordering_tables=(table,)))
    both = decoder(replace(given, reordering_tables=(*given.reordering_tables, table)))
    counts = {
        name: np.sum([differing(lattice) for _, lattice in searched], axis=0).tolist()
        for name, searched in (
            ("word-based", words.decode_with_lattices(lines)),
            ("hierarchical", one.decode_with_lattices(lines)),
        )
    }
    # a first run each loads what the kernels need; `one` has its own in pedantic
    for each in (words, both):
        list(each.decode_all(lines))
    by_words = seconds(lambda: list(words.decode_all(lines)))
    benchmark.pedantic(lambda: list(one.decode_all(lines)), rounds=3)
    alone = seconds(lambda: list(one.decode_all(lines)))
    together = seconds(lambda: list(both.decode_all(lines)))
    with capsys.disabled():
        for name, (total, backward, forward, derivations) in counts.items():
            print(f"\n  {name} table: {total} orientations in {len(lines)} lists; ", end="")
            print(f"not the definition's: {backward} backward, {forward} forward, ", end="")
            print(f"in {derivations} derivations", end="")
        print(
            f"\n  times a search with a word-based table: hierarchical {alone / by_words:.2f}, ",
            end="",
        )
        print(f"both {together / by_words:.2f}")
