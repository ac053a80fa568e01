"""Sentences a second of the oracle search, its gains, and those of 500-best lists beside it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.captions import TRAIN, lines_of
from campanula.formats.feature_names.template_sets import TEMPLATE_SETS
from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.model.model import load_model
from campanula.formats.text.references import References
from campanula.stages import extract_blocks
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.left_out.training_text import TrainingText
from campanula.stages.decoding.list_inventory import ListInventory
from campanula.stages.decoding.oracle_setup import OracleSetup
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer
from tests.examples import MOSES, MULTI30K

BEAMS = (5, 10, 20, 50, 100)
FLAT = {"LM0": 0.1, "WordPenalty0": -0.3, "PhrasePenalty0": 0.1}  # a fair start, tuned for nothing


@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is absent")
def test_oracles_of_multi30k(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Speed against mean gain for several beams, and the best of 500-best lists."""
    tables = [str(MOSES / f"{name}.gz") for name in ("phrase-table", "reordering-table")]
    files = ModelFiles(
        tables[0], (ReorderingTable(tables[1]),), (LanguageModelFile(str(MOSES / "lm.arpa.gz")),)
    )
    model = load_model(files, str(tmp_path))
    references = References.read([str(MULTI30K / "val.en")])
    lines = lines_of("val.de")

    def found(swap: bool, beam: int) -> tuple[float, float]:
        search = OracleSearch(model, references, OracleSettings(swap=swap, beam=beam))
        begin = time.perf_counter()
        gains = [float(r.gain[0]) for r in search.truth(lines, "val") if r.gain is not None]
        return len(lines) / (time.perf_counter() - begin), float(np.mean(gains))

    found(True, 1)  # compiles
    rows = [(swap, beam, *found(swap, beam)) for swap in (False, True) for beam in BEAMS]
    benchmark.pedantic(lambda: found(True, OracleSettings().beam), rounds=1)
    theta = np.array([FLAT.get(name, 0.1) for name in model.feature_names()])
    decoder, scorer = Decoder(model, theta, SearchSettings()), Scorer(Bleu(), references)
    best = [float(np.max(scorer(kbest).gain)) for kbest in decoder.decode_all(lines)]  # type: ignore[arg-type]
    with capsys.disabled():
        print(f"\nbest of 500-best lists: mean gain {np.mean(best):.4f}")
        for swap, beam, speed, gain in rows:
            order = "swap" if swap else "monotone"
            print(f"{order:8}  beam {beam:4}: {speed:6.1f} sentences/s, mean gain {gain:.4f}")


@pytest.mark.skipif(not MULTI30K.is_dir(), reason="the shared data is absent")
def test_features_and_leave_one_out(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Time with the templates of Tillmann and Zhang, with names and against an inventory, and of
    leave-one-out, beside that of the search alone.  CAMPANULA_CAPTIONS says how many captions.
    """
    n = int(os.environ.get("CAMPANULA_CAPTIONS", "500"))
    table = str(tmp_path / "phrase-table.gz")
    assert extract_blocks.main([*TRAIN, "--phrase-table", table, "-q"]) == 0
    text = TrainingText(*(str(tmp_path / name) for name in ("source", "target", "links")))
    for path, side in zip(TRAIN, (text.source, text.target, text.alignment), strict=True):
        column = "".join(f"{line}\n" for line in lines_of(path, n))
        Path(side).write_text(column, encoding="utf-8")
    setup = OracleSetup(
        ModelFiles(table), (text.target,), dense_features=("none",), cache=str(tmp_path / "cache")
    )
    lines = lines_of(text.source)

    def found(setup: OracleSetup) -> tuple[float, float]:
        begin = time.process_time()
        gains = [float(r.gain[0]) for r in setup.prepare().find(lines, "s") if r.gain is not None]
        return time.process_time() - begin, float(np.mean(gains))

    with ListInventory(str(tmp_path / "F"), counts=False) as inventory:
        named = replace(setup, templates=TEMPLATE_SETS["tillmann-zhang"])
        left_out = replace(setup, left_out=LeftOut(text, table, 0.0))
        ways = {"alone": setup, "named": named, "indexed": replace(named, inventory=inventory)}
        ways |= {"leave-one-out": left_out}
        found(replace(named, left_out=left_out.left_out))  # compiles
        # rounds in turn: both sides of a ratio are of one round, under the same load
        rows = [{name: found(way) for name, way in ways.items()} for _ in range(3)]
    benchmark.pedantic(lambda: found(setup), rounds=1)
    with capsys.disabled():
        for name in ways:
            ratio = np.median([row[name][0] / row["alone"][0] for row in rows])
            speed, gain = n / rows[-1][name][0], rows[-1][name][1]
            print(f"\n{name:13}  {ratio:5.2f} of the time, {speed:5.1f} captions a second of CPU")
            print(f"{'':13}  mean gain of the best {gain:.4f}", end="")
