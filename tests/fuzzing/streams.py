"""Cases of streams: lists, hopes and lattices with faults, for the commands that read them."""

from __future__ import annotations

import functools
import json
import math
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.fuzzing import reading, wire
from tests.fuzzing.case import Case, Check, Loss, expect
from tests.fuzzing.wire import Column
from tests.lattices import random_lattice, write_lattices

NAMES = ("LM0", "WordPenalty0", "TM0_0", "TM0_1", "pair_a~~b", "count_7", "x")
WEIGHTS = b"LM0 0.5\nWordPenalty0 -0.25\nTM0_0 0.1\nTM0_1 0.2\npair_a~~b 1\ncount_7 -1\nx 2\n"
WORDS = ("the", "cat", "sat", "on", "a", "mat", "été")
REFERENCES = b"the cat sat on a mat\na cat sat\nthe mat\n"
METRIC = {
    "name": "bleu",
    "gain": "bleu+1",
    "gain_settings": [],
    "n_refs": 1,
    "case": "mixed",
    "tokenize": "none",
}


def ints(values: list[int]) -> Column:
    return Column("|u1" if all(0 <= v < 256 for v in values) else "<i8", values)


def floats(values: list[float]) -> Column:
    return Column("<f8", values)


def packed_texts(texts: list[str]) -> list[Any]:
    parts = [text.encode() for text in texts]
    return [b"".join(parts), ints(list(map(len, parts)))]


def kbest(rng: random.Random, scored: bool, n: int = 3) -> list[Any]:
    """Messages of sound k-best lists: header and records, without the end."""
    header: dict[str, Any] = {"kind": "kbest", "version": 1, "signature": "made|by:hand"}
    if scored:
        header["metric"] = dict(METRIC)
    records = [_record(rng, sid, scored) for sid in range(n)]
    records[0] = {"names": list(NAMES), **records[0]}
    return [header, *records]


def _record(rng: random.Random, sid: int, scored: bool) -> dict[str, Any]:
    size = rng.choice((1, 2, 3, 4))
    texts = [" ".join(rng.choices(WORDS, k=rng.choice((0, 1, 3, 5)))) for _ in range(size)]
    n_dense = rng.choice((0, 2, 4))
    record: dict[str, Any] = {"sid": sid, "text": packed_texts(texts)}
    if n_dense:
        record["dense_id"] = ints(list(range(n_dense)))
        record["dense"] = floats([round(rng.gauss(0, 3), 3) for _ in range(n_dense * size)])
    if rng.random() < 0.6:
        rows = [rng.sample((4, 5), k=rng.randint(0, 2)) for _ in range(size)]
        if ids := [i for row in rows for i in sorted(row)]:
            record["sparse_length"] = ints(list(map(len, rows)))
            record["sparse_id"] = ints(ids)
            record["sparse_value"] = floats([float(rng.randint(2, 5)) for _ in ids])
    if rng.random() < 0.6:
        lengths = [rng.randint(0, 1) for _ in range(size)]
        if sum(lengths):
            record["binary_length"], record["binary_id"] = ints(lengths), ints([6] * sum(lengths))
    record["score"] = floats([round(rng.gauss(-5, 3), 3) for _ in range(size)])
    if scored:
        record["stats"] = ints([n for text in texts for n in _bleu(len(text.split()), rng)])
        record["gain"] = floats([round(rng.random(), 2) for _ in range(size)])
    if rng.random() < 0.3:
        record["fields"] = {"alignment": packed_texts(["0-0"] * size)}
    return record


def _bleu(length: int, rng: random.Random) -> list[int]:
    totals = [max(length - n, 0) for n in range(4)]
    matches = [0, 0, 0, 0]
    for n, total in enumerate(totals):
        matches[n] = rng.randint(0, min(total, matches[n - 1] if n else total))
    return [length, 5, *matches, *totals]


def hopes(rng: random.Random, sizes: list[int]) -> list[Any]:
    header = {"kind": "hope", "version": 1, "signature": "made|by:hand"}
    records = [
        {"sid": sid, "size": size, "index": ints([rng.randrange(size)]), "weight": floats([1.0])}
        for sid, size in enumerate(sizes)
    ]
    return [header, *records]


@functools.cache
def _lattices(seed: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        first = random_lattice(seed)
        every = [first, random_lattice(seed + 1, sid=1, names=first.names)]
        return Path(write_lattices(Path(folder, "lattices"), every)).read_bytes()


def lists_case(rng: random.Random) -> Case:
    """A k-best stream with faults, for one of the commands."""
    name = rng.choice(list(COMMANDS))
    scored = name in NEEDS_GAINS or rng.random() < 0.5
    messages = kbest(rng, scored)
    files = {"w": WEIGHTS, "ref": REFERENCES}
    if name == "optimize" and rng.random() < 0.3:
        sizes = [len(m["text"][1].values) for m in messages[1:]]
        spoilt = hopes(rng, sizes)
        files["h"] = wire.damaged(spoilt, rng) if rng.random() < 0.6 else wire.dumps(spoilt)
    files["k"] = wire.damaged(messages, rng) if rng.random() < 0.95 else wire.dumps(messages)
    words = list(rng.choice(COMMANDS[name]))
    if "k2" in words:
        files["k2"] = wire.dumps(kbest(rng, scored))
    if "h" in files:
        words = [
            "k",
            "--weights",
            "w",
            "--loss",
            "ramp3",
            "--hope",
            "h",
            "--epochs",
            "2",
            "--allow-missing",
        ]
    command, check = name, CHECKS.get(name)
    return Case("stream", files, command, ["-q", *words] if command != "show" else words, check)


FEW = ("--epochs", "2", "--cccp-iterations", "1")
WRITTEN = ("moses", "cdec", "travatar", "jsonl")
SCORED = ("bleu", "bleu", "wer", "chrf", "meteor")
MISSING = ("--allow-missing",)
BASE = ("k", "--weights", "w", "--allow-missing")
SETS = ("--weights", "w", "--allow-missing", "--epochs", "2", "--loss")
NEEDS_GAINS = ("optimize", "impute-hope", "oracle-search", "select-violating")
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "show": (("k",), ("k", "--header"), ("k",)),
    "kbest-stats": (("k", "--format", "json"), ("k",), ("k", "--feature", "[Lp]*")),
    "export-nbest": tuple(("k", "--format", form) for form in WRITTEN),
    "score-bleu": tuple(
        ("k", "--ref", "ref", *MISSING, "--metric", name) for name in SCORED
    ),
    "rerank": (BASE, (*BASE, "--kbest"), (*BASE, "--kbest")),
    "impute-hope": (BASE, (*BASE, "--alpha", "3")),
    "oracle-search": (("k",), ("k", "--n", "2")),
    "merge-kbest": (("k", "k2"), ("k", "k2"), ("k",)),
    "prune-kbest": (("k", "-k", "2"), ("k", "--distinct")),
    "drop-features": (("k", "--min-count", "1"), ("k",)),
    "add-feature": (("length", "--name", "Length", "k"),),
    "optimize": (
        (*BASE, *FEW),
        (*BASE, "--loss", "ramp1", "--solver", "sgd", *FEW),
        (*BASE, "--loss", "log-kbest", "--solver", "adagrad", *FEW),
        (*BASE, "--loss", "hinge-kbest", "--solver", "mira", "--epochs", "2"),
        (*BASE, "--loss", "bayes-risk", "--solver", "lbfgs", "--iterations", "3"),
        (*BASE, "--loss", "pairwise", "--iterations", "3"),
        (*BASE, "--loss", "cost", "--solver", "line-search", "--restarts", "1"),
        (*BASE, "--solver", "batch-mira", "--epochs", "2"),
        (*BASE, "--loss", "expected-bleu", "--solver", "rprop", "--iterations", "3"),
        (*BASE, *FEW, "--stream"),
        (*BASE, "--loss", "squared-gain", "--iterations", "3"),
        ("k", *SETS, "costmargin", "--truth", "k2"),
        ("k", "k2", *SETS, "costmargin", "--update", "eq7", "--memory", "0"),
        ("k2", *SETS, "costmargin", "--update", "eq7", "--truth", "k"),
        ("k", "k2", *SETS, "relevant-perceptron"),
    ),
    "select-violating": ((*BASE, "--truth", "k2"), ("k2", *BASE[1:], "--truth", "k")),
}  # fmt: skip


def lattice_case(rng: random.Random) -> Case:
    """A lattice stream with faults, for `rescore` or `show`."""
    data = wire.damaged(wire.loads(_lattices(rng.randrange(20))), rng)
    files = {"k": data, "w": b"LM0 0.5\nWordPenalty0 -0.25\n"}
    if rng.random() < 0.2:
        return Case("lattice", files, "show", ["k"], _objects)
    words = ["-q", "k", "--weights", "w", "-k", "5", "--allow-missing"]
    return Case("lattice", files, "rescore", words, lists_alone)


def hope_case(rng: random.Random) -> Case:
    """A hope stream with faults, shown."""
    sizes = [rng.randint(1, 4) for _ in range(3)]
    return Case("hope", {"k": wire.damaged(hopes(rng, sizes), rng)}, "show", ["k"], _objects)


def _sids(path: Path) -> int:
    return len(path.read_bytes().split(b"\n")) - 1


def _objects(folder: Path) -> None:
    """Every line is an object without NaN."""
    for line in (folder / "out").read_text().split("\n")[:-1]:
        if line.startswith("{"):
            json.loads(line, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise Loss(f"found {constant}")


def lists_alone(folder: Path) -> None:
    """The output is sound lists, of which nothing else is known."""
    reading.lists(folder / "out")


def _shown(folder: Path) -> None:
    lines = (folder / "out").read_text().split("\n")[:-1]
    objects = [json.loads(line, parse_constant=_refuse) for line in lines]
    shown = [value for value in objects if "sid" in value]
    lists = reading.lists(folder / "k")
    expect([len(v["hyps"]) for v in shown], [len(v.hyps) for v in lists], "hypotheses")
    expect([[features(h) for h in v["hyps"]] for v in shown], [v.hyps for v in lists], "features")


def _counted(folder: Path) -> None:
    line, *_ = (folder / "out").read_text().split("\n")
    lists = reading.lists(folder / "k")
    counts = len(lists), sum(len(one.hyps) for one in lists)
    if not line.startswith("{"):
        expect(line, "{} lists, {} hypotheses".format(*counts), "counts")
        return
    found = json.loads(line, parse_constant=_refuse)
    expect((found["lists"], found["hypotheses"]), counts, "counts")


def features(hyp: dict[str, Any]) -> reading.Hyp:
    """Text and features of a hypothesis that `show` has written."""
    return hyp["text"], frozenset(hyp["features"].items())


def _same(folder: Path) -> None:
    """The output has the same hypotheses, in the same order."""
    found, given = reading.lists(folder / "out"), reading.lists(folder / "k")
    expect([(v.sid, v.hyps) for v in found], [(v.sid, v.hyps) for v in given], "hypotheses")
    for one in found:
        if one.gain is not None and max(one.gain) > 1.0:
            raise Loss(f"a gain above 1: {one.gain}")


def _reranked(folder: Path) -> None:
    given = reading.lists(folder / "k")
    out = folder / "out"
    if not out.is_dir() and not out.read_bytes()[1:].startswith(b"\xa4kind"):
        expect(_sids(folder / "out"), given[-1].sid + 1 if given else 0, "lines")
        return
    found = reading.lists(folder / "out")
    expect([Counter(v.hyps) for v in found], [Counter(v.hyps) for v in given], "hypotheses")
    for one in found:
        expect(one.score, sorted(one.score or [], reverse=True), "scores from the highest")


def _merged(folder: Path) -> None:
    """Each sentence has every hypothesis once; a feature of value 0 is as good as none."""
    pool: dict[int, set[reading.Hyp]] = {}
    for name in ("k", "k2"):
        for one in reading.lists(folder / name) if (folder / name).exists() else ():
            pool.setdefault(one.sid, set()).update(map(_bare, one.hyps))
    found = {v.sid: sorted(map(_bare, v.hyps), key=_order) for v in reading.lists(folder / "out")}
    expect(found, {sid: sorted(pool[sid], key=_order) for sid in sorted(pool)}, "hypotheses")


def _bare(hyp: reading.Hyp) -> reading.Hyp:
    return hyp[0], frozenset((name, value) for name, value in hyp[1] if value != 0.0)


def _order(hyp: reading.Hyp) -> tuple[str, list[tuple[str, float]]]:
    return hyp[0], sorted(hyp[1])


def _texts(folder: Path) -> None:
    found, given = reading.lists(folder / "out"), reading.lists(folder / "k")
    expect(
        [[h[0] for h in v.hyps] for v in found], [[h[0] for h in v.hyps] for v in given], "texts"
    )
    for one, other in zip(found, given, strict=True):
        for hyp, was in zip(one.hyps, other.hyps, strict=True):
            if not hyp[1] <= was[1]:
                raise Loss(f"features appear: {hyp} of {was}")


def _longer(folder: Path) -> None:
    found, given = reading.lists(folder / "out"), reading.lists(folder / "k")
    rest = [
        [(t, frozenset(f for f in row if f[0] != "Length")) for t, row in v.hyps] for v in found
    ]
    expect(rest, [v.hyps for v in given], "other features")
    lengths = [[float(dict(row)["Length"]) for _, row in v.hyps] for v in found]
    counts = [[len(t.strip(" \t\n\r").split()) for t, _ in v.hyps] for v in given]
    if all(t.isascii() and t.isprintable() for v in given for t, _ in v.hyps):
        expect(lengths, counts, "words")


def weights_are_finite(folder: Path) -> None:
    """The output is a weights file of finite numbers."""
    for line in (folder / "out").read_text().split("\n"):
        if line and not line.startswith("# ") and not math.isfinite(float(line.rsplit(" ", 1)[1])):
            raise Loss(f"found {line}")


def _violating(folder: Path) -> None:
    """Every list has some of its hypotheses, in their order."""
    found = reading.lists(folder / "out")
    sources = [reading.lists(folder / name) for name in ("k", "k2")]
    if not any(_cut(found, given) for given in sources):
        raise Loss("expected some hypotheses of each list, in their order")


def _pruned(folder: Path) -> None:
    if not _cut(reading.lists(folder / "out"), reading.lists(folder / "k")):
        raise Loss("expected some hypotheses of each list, in their order")


def _cut(found: list[reading.Listed], given: list[reading.Listed]) -> bool:
    pairs = list(zip(found, given, strict=False))
    rests = [(iter(all_of.hyps), some.hyps) for some, all_of in pairs]
    return [one.sid for one in found] == [one.sid for one in given] and all(
        hyps and all(hyp in rest for hyp in hyps) for rest, hyps in rests
    )


def _hopes(folder: Path) -> None:
    count = len(wire.loads((folder / "out").read_bytes())) - 1
    expect(count, len(reading.lists(folder / "k")), "hopes")


CHECKS: dict[str, Check] = {
    "show": _shown,
    "kbest-stats": _counted,
    "score-bleu": _same,
    "rerank": _reranked,
    "merge-kbest": _merged,
    "prune-kbest": _pruned,
    "drop-features": _texts,
    "add-feature": _longer,
    "optimize": weights_are_finite,
    "impute-hope": _hopes,
    "oracle-search": lists_alone,
    "select-violating": _violating,
}
