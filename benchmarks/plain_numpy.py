"""Work of `bench_peers` in plain Python and NumPy, as a user without a toolkit would do it.

python -m benchmarks.plain_numpy lm ARPA TEXTS OUT             log10 probabilities of lines
python -m benchmarks.plain_numpy expected-bleu LISTS WEIGHTS   RPROP, 50 iterations
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

Entries = dict[tuple[str, ...], tuple[float, float]]


def read_arpa(path: str) -> Entries:
    """Log probability and back-off of every n-gram."""
    entries: Entries = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) > 1:
                back_off = float(fields[2]) if len(fields) > 2 else 0.0
                entries[tuple(fields[1].split(" "))] = float(fields[0]), back_off
    return entries


def log_probability(entries: Entries, history: tuple[str, ...], word: str) -> float:
    """log10 p(word | history), with back-off."""
    if (*history, word) in entries:
        return entries[*history, word][0]
    if not history:
        return entries["<unk>",][0]
    back_off = entries.get(history, (0.0, 0.0))[1]
    return back_off + log_probability(entries, history[1:], word)


def language_model(arpa: str, texts: str, out: str) -> None:
    """Score every line of a file, as `query -v sentence` prints it."""
    entries = read_arpa(arpa)
    order = max(map(len, entries))
    with open(texts, encoding="utf-8") as file, open(out, "w", encoding="utf-8") as to:
        for line in file:
            words = ("<s>", *line.split(), "</s>")
            total = sum(
                log_probability(entries, words[max(0, i - order + 1) : i], words[i])
                for i in range(1, len(words))
            )
            to.write(f"Total: {total} OOV: 0\n")


def expected_bleu(lists: str, start: str) -> None:
    """Maximise the mean expected gain by RPROP; prints it."""
    import campanula

    arrays = campanula.KBestLists.open(lists).to_arrays()
    weights = campanula.read_weights(start)
    features, begin = arrays.features.toarray(), arrays.pointer[:-1]
    row = np.repeat(np.arange(len(begin)), np.diff(arrays.pointer))
    theta = np.array([weights[name] for name in arrays.names])
    # all constants of RPROP are the defaults of Moses's train-expected-bleu, and ours
    step, last = np.full(len(theta), 1e-3), np.zeros(len(theta))
    for _ in range(50):
        score = features @ theta
        # less the best score of the list, or exp would overflow
        p = np.exp(score - np.maximum.reduceat(score, begin)[row])
        p /= np.add.reduceat(p, begin)[row]
        expected = np.add.reduceat(p * arrays.gain, begin)
        slope = (p * (arrays.gain - expected[row])) @ features
        # RPROP: a slope of another sign has gone too far, and halves the step
        step = np.clip(step * np.where(slope * last < 0, 0.5, 1.2), 1e-7, 1.0)
        # no step back after a change of sign; the next one is in the new direction
        slope[slope * last < 0] = 0.0
        theta += np.sign(slope) * step
        last = slope
    print(expected.mean())


if __name__ == "__main__":
    works: dict[str, Callable[..., None]] = {"lm": language_model, "expected-bleu": expected_bleu}
    works[sys.argv[1]](*sys.argv[2:])
