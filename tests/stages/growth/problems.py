"""Random phrase tables and scored lists that fire their rows, as files and for the slow twin."""

import gzip
from pathlib import Path

import numpy as np

from campanula.formats.feature_names.sparse import sparse_name
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from tests.examples import write_kbest

SOURCES = ["das", "das Haus", "a~b %", "ein|es", "klein ,", "x=y"]
TARGETS = ["the", "the house", "a~b %", "one", "small ,", "x=y it"]
WEIGHTS = {"LM0": 0.4, "TranslationModel0_0": 0.7, "TranslationModel0_2": 1.1, "pair_a~~b": -0.3}
Row = tuple[str, str]
KEYS = (lambda row: (row[1], row[0]), lambda row: (row[0], row[1]))  # condition, outcome
COPY = ("neu", "neu")


class Problem:
    """A table of some of the pairs and lists that fire some of its rows.

    table: scores of p(f|e) and p(e|f) by (condition, outcome); plain: lists for the twin.
    """

    def __init__(self, seed, n_lists=4, most=6, exact=True):
        rng = np.random.default_rng(seed)
        pairs = [(f, e) for f in SOURCES for e in TARGETS]
        self.rows = [pairs[k] for k in np.sort(rng.permutation(len(pairs))[: rng.integers(5, 20)])]
        raw = rng.dirichlet(np.ones(len(self.rows)), 2) * (1 if exact else 3)
        self.scores = np.maximum(np.round(raw, 4), 1e-4)
        self.table = [
            {key(row): p for row, p in zip(self.rows, own.tolist(), strict=True)}
            for key, own in zip(KEYS, self.scores, strict=True)
        ]
        firing = [self.rows[k] for k in rng.permutation(len(self.rows))[: len(self.rows) // 2 + 1]]
        self.weights = [WEIGHTS["TranslationModel0_0"], WEIGHTS["TranslationModel0_2"]]
        self.names, self.records, self.plain = Names(), [], []
        for sid in range(n_lists):
            size = int(rng.integers(1, most))
            self._add(sid, [self._hypothesis(rng, firing) for _ in range(size)], rng)

    def _hypothesis(self, rng, firing):
        rows: dict[Row, float] = {}
        for k in rng.integers(0, len(firing), rng.integers(1, 4)):
            rows[firing[k]] = rows.get(firing[k], 0.0) + 1.0
        dense = {name: float(rng.normal()) for name in WEIGHTS}
        dense["pair_a~~b"] = float(rng.integers(0, 2))
        return dense, rows

    def _add(self, sid, hypotheses, rng):
        gains = np.round(rng.random(len(hypotheses)), 2)
        features, plain = [], []
        for (dense, rows), gain in zip(hypotheses, gains.tolist(), strict=True):
            own = {name: value for name, value in dense.items() if value}
            own |= {block(row): count for row, count in rows.items()}
            if rng.random() < 0.3:
                own[block(COPY)] = 1.0
            features.append(own)
            fixed = sum(WEIGHTS[name] * value for name, value in dense.items())
            plain.append((fixed, rows, gain))
        text = Texts.of(["x"] * len(features))
        kbest = KBest(sid, text, Features.of(features, self.names), self.names, gain=gains)
        self.records.append(kbest)
        self.plain.append(plain)

    def lines(self):
        """Lines of the table."""
        for (f, e), p, q in zip(self.rows, *self.scores.tolist(), strict=True):
            yield f"{f} ||| {e} ||| {p!r} 0.25 {q!r} 1e-3 ||| 0-0 1-0 ||| 3 4 2 ||| |||\n"

    def write(self, folder):
        """Write train.kbest, table.gz and w below a folder; their paths."""
        lists = write_kbest(folder / "train.kbest", self.records)
        table = str(folder / "table.gz")
        with gzip.open(table, "wt", encoding="utf-8") as file:
            file.writelines(self.lines())
        weights = str(folder / "w")
        given = {name: value for name, value in WEIGHTS.items() if name in self.names}
        Weights(given).write(weights)
        return lists, table, weights


def block(row):
    """Name of the feature of a row."""
    source, target = (tuple(phrase.split(" ")) for phrase in row)
    return sparse_name("block", "", source, target)


def read_scores(path):
    """Scores of p(f|e) and p(e|f) of a written table, by (condition, outcome), and its lines."""
    found: tuple[dict[Row, float], dict[Row, float]] = ({}, {})
    lines = []
    data = Path(path).read_bytes()
    text = gzip.decompress(data) if path.endswith(".gz") else data
    for line in text.decode().splitlines(keepends=True):
        lines.append(line)
        source, target, scores = line.split(" ||| ")[:3]
        for side, place in ((0, 0), (1, 2)):
            found[side][KEYS[side]((source, target))] = float(scores.split()[place])
    return found, lines
