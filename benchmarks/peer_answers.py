"""Agreement of a peer's output with ours, which `bench_peers` prints beside the times.

Each function reads the output files of both commands of a row in the task's folder, named
`theirs...` and `ours...`, and returns a few words on their agreement.
"""

from __future__ import annotations

import filecmp
import math
from pathlib import Path

import numpy as np

import campanula
from benchmarks.peer_data import START, Task, plus_numbered

LN10 = math.log(10.0)  # KenLM prints logarithms to the base 10, ours are natural


def lists_of(task: Task, name: str) -> campanula.KBestLists:
    """The lists of a stream in the task's folder."""
    return campanula.KBestLists.open(str(task.folder / name))


def of_decoding(task: Task) -> str:
    """Mean score of the best translations, the unknown word penalty aside.

    Both copy the same unknown words, which the table alone decides, so that ours counts for both.
    """
    ours, unknown = [], []
    for kbest in lists_of(task, "ours.best"):
        assert kbest.score is not None
        ours.append(kbest.score[0])
        unknown.append(next(kbest.features.rows(kbest.names))["UnknownWordPenalty0"])
    own = f"mean score {np.mean(ours) - np.mean(unknown):.4f}"
    if not (task.folder / "theirs.best").exists():
        return own
    theirs = [float(line.split(" ", 1)[0]) for line in _lines(task, "theirs.best")]
    assert len(theirs) == len(ours)
    return f"{own}, theirs {np.mean(theirs) - np.mean(unknown):.4f}"


def of_nbest(task: Task) -> str:
    """Lines of both lists."""
    counts = [len(_lines(task, name)) for name in ("ours.nbest", "theirs.nbest")]
    return "{} lines, theirs {}".format(*counts)


def of_language_model(task: Task) -> str:
    """The largest difference of two log probabilities of a hypothesis."""
    theirs = [
        LN10 * float(line.split()[1])
        for line in _lines(task, "theirs.lm")
        if line.startswith("Total: ")
    ]
    lists = lists_of(task, "ours.lm")
    ours = np.concatenate([_feature(kbest, "Peer") for kbest in lists])
    assert len(ours) == len(theirs)
    return f"{len(ours):,} hypotheses, differ by {np.abs(ours - theirs).max():.1e} at most"


def _feature(kbest: campanula.KBest, name: str) -> np.ndarray:
    features = kbest.features
    return features.dense[list(features.dense_id).index(kbest.names.id(name))]


def of_arpa(task: Task) -> str:
    """n-grams of either file alone, and the largest difference of a number of both."""
    theirs, ours = (_entries(task.folder / name) for name in ("theirs.arpa", "ours.arpa"))
    alone = len(theirs.keys() ^ ours.keys())
    pairs = np.array([(theirs[key], ours[key]) for key in theirs.keys() & ours.keys()])
    apart = np.abs(np.diff(pairs, axis=1)).max()
    return f"{len(ours):,} n-grams, {alone} in one file only, differ by {apart:.1e} at most"


def _entries(path: Path) -> dict[str, tuple[float, float]]:
    """Log probability and back-off of every n-gram of an ARPA file."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n"))
    entries = {}
    for row in rows:
        if len(row) > 1:
            entries[row[1]] = float(row[0]), float(row[2]) if len(row) > 2 else 0.0
    entries["<s>"] = 0.0, entries["<s>"][1]  # no word has it as an outcome
    return entries


def of_statistics(task: Task) -> str:
    """Hypotheses whose BLEU statistics differ."""
    theirs = np.array(
        [line.split() for line in _lines(task, "text.scores") if line[:1].isdigit()], int
    )
    lists = lists_of(task, "ours.scored")
    ours = np.concatenate([kbest.stats for kbest in lists if kbest.stats is not None])
    ours = ours[:, [2, 6, 3, 7, 4, 8, 5, 9, 1]]  # matches and totals in turn, and the reference
    assert theirs.shape == ours.shape
    return f"{len(ours):,} hypotheses, {int((theirs != ours).any(axis=1).sum())} differ"


def of_weights(task: Task) -> str:
    """Corpus BLEU of both weights on the merged lists."""
    ours = _bleu(task, dict(campanula.read_weights(str(task.folder / "ours.weights"))))
    if not (task.folder / "theirs.weights").exists():
        return f"BLEU {ours:.2f}"
    return f"BLEU {ours:.2f}, theirs {_bleu(task, _weights_of(task)):.2f}"


def _weights_of(task: Task) -> dict[str, float]:
    """What `mert` has written, numbers in the order of the features, or `kbmira`, `F0 number`."""
    lines = _lines(task, "theirs.weights")
    if len(lines) == 1:
        return dict(zip(START, map(float, lines[0].split()), strict=True))
    numbers = dict(line.split() for line in lines)
    return {name: float(numbers.get(f"F{i}", 0.0)) for i, name in enumerate(START)}


def _bleu(task: Task, weights: dict[str, float]) -> float:
    lists = campanula.KBestLists.open(str(task.merged))
    return campanula.evaluate(campanula.ranked(lists, weights, allow_missing=True)).value


def of_expected_bleu(task: Task) -> str:
    """Expected BLEU on the lists that both had, with the gains that the peer counts."""
    ours = dict(campanula.read_weights(str(task.folder / "ours.weights")))
    own = f"expected BLEU {_expected(task, ours):.5f}"
    path = task.folder / "theirs.out"
    if not path.exists():
        return own
    weights = [line.split()[3:] for line in _lines(task, path.name) if line.startswith("ITER")]
    # a line for each weight of each iteration; the last ones are those of the last iteration
    theirs = {plus_numbered(name): float(value) for name, value in weights[-len(START) :]}
    return f"{own}, theirs {_expected(task, theirs):.5f}"


def _expected(task: Task, weights: dict[str, float]) -> float:
    arrays = campanula.KBestLists.open(str(task.gained)).to_arrays()
    theta = np.array([weights[name] for name in arrays.names])
    score, begin = arrays.features @ theta, arrays.pointer[:-1]
    # less the best score of the list, or exp would overflow
    p = np.exp(score - np.repeat(np.maximum.reduceat(score, begin), np.diff(arrays.pointer)))
    return float(np.mean(np.add.reduceat(p * arrays.gain, begin) / np.add.reduceat(p, begin)))


def of_threads(task: Task) -> str:
    """Whether the bytes are the same."""
    # shallow would believe that files of one size and time are equal
    same = filecmp.cmp(task.folder / "jobs1", task.folder / "jobs2", shallow=False)
    return "the same bytes" if same else "DIFFERENT BYTES"


def _lines(task: Task, name: str) -> list[str]:
    return (task.folder / name).read_text(encoding="utf-8").splitlines()
