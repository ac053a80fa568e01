"""A decoder of the tests' own that speaks the formats of real ones.

    pool_decoder.py moses -f INI -weight-overwrite 'LM0= 0.5 TM0= 0.1 0.2' [-weight-file F]
                          -n-best-list FILE K [distinct] < source > best
    pool_decoder.py cdec -c INI -w WEIGHTS -k K [-r] < source > list
    pool_decoder.py marian -c INI -b K --n-best < source > list

It knows every sentence's hypotheses beforehand (`pool=FILE` in INI), and ranks them by the weights
that it is given, as they are written on its command line or in the file that this names.  Marian
has no weights and one feature.  As Moses does, its INI has a weight that no list has a feature of.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

SELF = os.path.abspath(__file__)
WORDS = ["a", "the", "cat", "dog", "man", "sees", "hears", "big", "old", "house", "in", "on"]
DENSE = ("LM0", "WordPenalty0", "TM0_0", "TM0_1")
INITIAL = {"LM0": 0.5, "WordPenalty0": -0.5, "TM0_0": -0.3, "TM0_1": 0.2}
INI_WEIGHTS = "[weight]\nUnknownWordPenalty0= 1\nLM0= 0.5\nWordPenalty0= -0.5\nTM0= -0.3 0.2\n"
SPARSE = "tgt_cat"
Pool = dict[str, list[tuple[str, dict[str, float]]]]


def write(folder: Path, n_sentences: int = 25, n_hypotheses: int = 30) -> list[str]:
    """Write pool, ini, source, reference and weights; return the data flags of `tune`."""
    rng, pool, refs = random.Random(1), {}, []
    for number in range(n_sentences):
        ref = rng.choices(WORDS, k=rng.randint(5, 9))
        refs.append(" ".join(ref))
        pool[f"satz {number}"] = [hypothesis(rng, ref) for _ in range(n_hypotheses)]
    files = {
        "pool": json.dumps(pool),
        "pool.ini": f"[feature]\npool={folder / 'pool'}\n{INI_WEIGHTS}",
        "dev.de": "".join(f"{source}\n" for source in pool),
        "dev.en": "".join(f"{ref}\n" for ref in refs),
        "w0": "".join(f"{name} {value}\n" for name, value in INITIAL.items()),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = {name: os.fspath(folder / name) for name in files}
    data = ["--source", path["dev.de"], "--ref", path["dev.en"]]
    return [*data, "--weights", path["w0"], "-k", "8"]


def hypothesis(rng: random.Random, ref: list[str]) -> tuple[str, dict[str, float]]:
    """A reference with some words changed, and features of which one knows how many."""
    share = rng.random()
    words = [rng.choice(WORDS) if rng.random() < share else word for word in ref]
    values = (rng.gauss(-5, 1), -float(len(words)), rng.gauss(-5 * share, 0.5), rng.gauss(0, 1))
    return " ".join(words), dict(zip(DENSE, (round(value, 4) for value in values), strict=True))


def after(flag: str, argv: list[str]) -> str:
    return argv[argv.index(flag) + 1]


def moses_weights(text: str) -> dict[str, float]:
    """Weights of `LM0= 0.5 TM0= 0.1 0.2`."""
    weights, label, values = {}, "", 0
    for token in text.split():
        if token.endswith("="):
            label, values = token[:-1], 0
        else:
            name = f"{label}_{values}" if label == "TM0" else label
            weights[name] = float(token)
            values += 1
    return weights


def pairs(path: str) -> dict[str, float]:
    """Weights of `name value` a line."""
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return {name: float(value) for name, value in lines}


def ranked(
    pool: Pool, source: str, weights: dict[str, float], k: int
) -> list[tuple[str, dict[str, float], float]]:
    """Text, features and score of the k best."""
    found = []
    for text, features in pool[source]:
        score = sum(weights[name] * value for name, value in features.items())
        score += weights.get(SPARSE, 0.0) * text.split().count("cat")
        found.append((text, features, score))
    return sorted(found, key=lambda item: -item[2])[:k]


def main(argv: list[str]) -> int:
    form = argv[0]
    ini = Path(after("-f" if form == "moses" else "-c", argv)).read_text(encoding="utf-8")
    path = next(line for line in ini.splitlines() if line.startswith("pool="))
    pool: Pool = json.loads(Path(path.removeprefix("pool=")).read_text(encoding="utf-8"))
    sources = sys.stdin.read().splitlines()
    print("reading the pool\nweights are", *argv[1:], file=sys.stderr)
    if form == "cdec":
        weights, k = pairs(after("-w", argv)), int(after("-k", argv))
        for sid, source in enumerate(sources):
            for text, features, score in ranked(pool, source, weights, k):
                dense = " ".join(f"{name}={value!r}" for name, value in features.items())
                print(f"{sid} ||| {text} ||| {dense} ||| {score:.6g}")
        return 0
    if form == "marian":
        k = int(after("-b", argv))
        for sid, source in enumerate(sources):
            for text, features, _ in ranked(pool, source, INITIAL, k):
                score = features["LM0"]
                print(f"{sid} ||| {text} ||| F0= {score:.4f} ||| {score / len(text.split()):.4f}")
        return 0
    weights = moses_weights(after("-weight-overwrite", argv))
    if "-weight-file" in argv:
        weights |= pairs(after("-weight-file", argv))
    place = argv.index("-n-best-list")
    with open(argv[place + 1], "w", encoding="utf-8") as nbest:
        for sid, source in enumerate(sources):
            best = ranked(pool, source, weights, int(argv[place + 2]))
            print(best[0][0])
            for text, f, score in best:
                dense = f"LM0= {f['LM0']!r} WordPenalty0= {f['WordPenalty0']!r}"
                dense += f" TM0= {f['TM0_0']!r} {f['TM0_1']!r}"
                if SPARSE in weights and "cat" in text.split():
                    dense += f" {SPARSE}= {text.split().count('cat')}"
                nbest.write(f"{sid} ||| {text}  ||| {dense} ||| {score:.6g}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
