"""Small random k-best lists for tests, and the shared real data where it is there."""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Writer

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("CAMPANULA_SHARED", ROOT.parent / "shared"))
MOSES = SHARED / "data" / "moses-de-en"
MULTI30K = SHARED / "data" / "multi30k"


def random_rows(rng: np.random.Generator, size: int, sparse: bool = True) -> list[dict[str, float]]:
    """Feature maps of one list: two dense features, one mostly absent, some binary ones."""
    rows = []
    for _ in range(size):
        row = {"LM0": float(rng.normal()), "WordPenalty0": float(-rng.integers(1, 9))}
        if sparse:
            row.update({f"pair_{i}": 1.0 for i in rng.choice(6, 2, replace=False)})
            if rng.random() < 0.3:
                row["count_7"] = float(rng.integers(2, 5))
        rows.append(row)
    return rows


def random_lists(
    seed: int, n_lists: int = 4, max_size: int = 5, sparse: bool = True
) -> tuple[list[KBest], list[list[tuple[dict[str, float], float]]]]:
    """Scored KBest records with gains that often tie, and the same as (features, gain) pairs."""
    rng, names = np.random.default_rng(seed), Names()
    records, plain = [], []
    for sid in range(n_lists):
        rows = random_rows(rng, int(rng.integers(1, max_size + 1)), sparse)
        gain = np.round(rng.random(len(rows)), 1)
        text = Texts.of(f"hypothesis {j}" for j in range(len(rows)))
        records.append(KBest(sid, text, Features.of(rows, names), names, gain=gain))
        plain.append(list(zip(rows, gain.tolist(), strict=True)))
    return records, plain


def write_kbest(path: Path | str, records: Iterable[KBest]) -> str:
    """Write k-best records to a stream file; returns the path as text."""
    with Writer(str(path), KBest, "test") as out:
        for record in records:
            out.write(record)
    return str(path)
