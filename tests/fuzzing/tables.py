"""Cases of models, parallel texts, references and columns of numbers: text files with faults."""

from __future__ import annotations

import functools
import random

from tests.fuzzing import damage, streams, wire
from tests.fuzzing.case import Case
from tests.small_models import arpa_text, random_model, random_ngrams

TYPE = "wbe-msd-bidirectional-fe-allff"
INI = f"""[input-factors]
0

[mapping]
0 T 0

[distortion-limit]
6

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=table
LexicalReordering name=LexicalReordering0 num-features=6 type={TYPE} path=reordering
Distortion
KENLM name=LM0 factor=0 path=lm order=2

[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1
PhrasePenalty0= 0.2
TranslationModel0= 0.2 0.2 0.2 0.2
LexicalReordering0= 0.3 0.3 0.3 0.3 0.3 0.3
Distortion0= 0.3
LM0= 0.5
"""


@functools.cache
def _model(seed: int) -> dict[str, str]:
    """Texts of a small model's files, and weights of its features."""
    rng = random.Random(seed)
    model = random_model(rng, 2, True)
    table, reordering = [], []
    for source in sorted(model.phrases):
        for target, scores, six in model.phrases[source]:
            pair = f"{' '.join(source)} ||| {' '.join(target)} |||"
            table.append(f"{pair} {' '.join(map(str, scores))} ||| 0-0 ||| 1 1 1 ||| |||\n")
            reordering.append(f"{pair} {' '.join(map(str, six or ()))}\n")
    weights = "".join(f"{name} {value}\n" for name, value in model.weights.items())
    arpa = arpa_text(random_ngrams(rng, 2), 2)
    return {
        "table": "".join(table[:12]),
        "reordering": "".join(reordering[:12]),
        "lm": arpa,
        "classes": "u\tv\nv\tv\nw\tx\nd\tu\n",
        "w": weights,
    }


def model_case(rng: random.Random) -> Case:
    """A sentence decoded with a model of which one file has faults."""
    texts = {**_model(rng.randrange(8)), "source": "a b c\n\nb a\n", "moses.ini": INI}
    ini = rng.random() < 0.35
    spoilt = rng.choice(
        ("moses.ini", "moses.ini", "table", "lm")
        if ini
        else ("table", "reordering", "lm", "classes", "w")
    )
    files = {name: text.encode() for name, text in texts.items()}
    files[spoilt] = damage.text(texts[spoilt], rng)
    model = (
        ["--moses-ini", "moses.ini"]
        if ini
        else ["--phrase-table", "table", "--reordering-table", "reordering"]
    )
    if not ini:
        model += ["--lm", "lm", "--weights", "w"]
    if spoilt == "classes" or rng.random() < 0.2:
        model += ["--class-lm", "lm", "--classes", "classes"]
    words = ["-q", "source", *model, "-k", "3", "--cache", "cache", "--allow-missing"]
    return Case(f"model-{spoilt}", files, "decode", words, streams.lists_alone)


def arpa_case(rng: random.Random) -> Case:
    """A language model with faults, whose values are added to lists."""
    arpa = _model(rng.randrange(8))["lm"]
    files = {"k": wire.dumps(streams.kbest(rng, False)), "lm": damage.text(arpa, rng)}
    return Case(
        "arpa",
        files,
        "add-feature",
        ["lm", "--arpa", "lm", "--name", "New", "k", "-q"],
        streams.lists_alone,
    )


def links_case(rng: random.Random) -> Case:
    """Parallel text with links, one of the three with faults."""
    texts = {"f": "a b c\nb a\nc\n", "e": "u v w\nv u\nw\n", "a": "0-0 1-1 2-2\n0-1 1-0\n0-0\n"}
    files = {name: text.encode() for name, text in texts.items()}
    spoilt = rng.choice(("a", "a", "a", "f", "e"))
    files[spoilt] = damage.text(texts[spoilt], rng)
    command = rng.choice(("extract-blocks", "estimate-distortion", "extract-features"))
    words = ["f", "e", "a", "-q"]
    return Case("links", files, command, words)


def lm_case(rng: random.Random) -> Case:
    """Text with faults of which a language model, or classes of words, are made."""
    text = "".join(" ".join(rng.choices("abcde", k=rng.randint(0, 7))) + "\n" for _ in range(12))
    words = ["text", "--order", rng.choice("123"), "-q"]
    if rng.random() < 0.3:
        words = ["text", "--classes", rng.choice("123"), "-q"]
        return Case("text", {"text": damage.text(text, rng)}, "estimate-classes", words)
    return Case("text", {"text": damage.text(text, rng)}, "estimate-lm", words)


def references_case(rng: random.Random) -> Case:
    """Lists scored by references with faults, or compared outputs."""
    text = "the cat sat on a mat\na cat sat .\nthe mat\n"
    spoilt = damage.text(text, rng)
    metric = rng.choice(("bleu", "wer", "ter", "chrf", "chrf++"))
    if rng.random() < 0.4:
        files = {"ref": spoilt, "a": text.encode(), "b": b"the cat\na cat sat\nmat\n"}
        words = [
            "a",
            "b",
            "--ref",
            "ref",
            "--metric",
            metric,
            "--samples",
            "10",
            "--trials",
            "10",
            "-q",
        ]
        return Case("references", files, "compare", words)
    files = {"ref": spoilt, "k": wire.dumps(streams.kbest(rng, False)), "ref2": text.encode()}
    words = ["k", "--ref", "ref", "--ref", "ref2", "--metric", metric, "--allow-missing", "-q"]
    return Case("references", files, "score-bleu", words, streams.CHECKS["score-bleu"])


def column_case(rng: random.Random) -> Case:
    """Lists with a column of numbers, or of statistics, with faults."""
    messages = streams.kbest(rng, False)
    size = sum(len(m["text"][1].values) for m in messages[1:])
    files = {"k": wire.dumps(messages), "ref": streams.REFERENCES}
    if rng.random() < 0.5:
        files["n"] = damage.text("".join(f"{rng.random():.3f}\n" for _ in range(size)), rng)
        words = ["k", "--metric", "gain-column", "--column", "n", "-q"]
    else:
        files["n"] = damage.text("5 5 3 2 1 0 5 4 3 2\n" * size, rng)
        words = ["k", "--ref", "ref", "--statistics", "n", "-q"]
    return Case("column", files, "score-bleu", words, streams.CHECKS["score-bleu"])


def names_case(rng: random.Random) -> Case:
    """Lists of which the features in a file with faults are kept."""
    files = {"k": wire.dumps(streams.kbest(rng, False))}
    files["names"] = damage.text("\n".join(streams.NAMES) + "\n", rng)
    return Case(
        "names",
        files,
        "drop-features",
        ["k", "--keep", "names", "-q"],
        streams.CHECKS["drop-features"],
    )


def theta_case(rng: random.Random) -> Case:
    """Lists reranked under weights with faults."""
    files = {
        "k": wire.dumps(streams.kbest(rng, False)),
        "w": damage.text(streams.WEIGHTS.decode(), rng),
    }
    words = ["k", "--weights", "w", "--kbest", "--allow-missing", "-q"]
    return Case("weights-of-lists", files, "rerank", words, streams.CHECKS["rerank"])
