"""Sentences a second of the oracle search, its gains, and those of 500-best lists beside it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.formats.text.references import References
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer
from tests.examples import MOSES, MULTI30K

BEAMS = (5, 10, 20, 50, 100)
FLAT = {"LM0": 0.1, "WordPenalty0": -0.3, "PhrasePenalty0": 0.1}  # a fair start, tuned for nothing


@pytest.mark.skipif(not MOSES.is_dir(), reason="the shared data is absent")
def test_oracles_of_multi30k(benchmark, capsys, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Speed against mean gain for several beams, and the best of 500-best lists."""
    names = ("phrase-table", "reordering-table", "lm.arpa")
    files = ModelFiles(*[str(MOSES / f"{name}.gz") for name in names])
    model = load_model(files, str(tmp_path))
    references = References.read([str(MULTI30K / "val.en")])
    lines = (MULTI30K / "val.de").read_text(encoding="utf-8").split("\n")[:-1]

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
