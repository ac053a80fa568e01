"""Cases of text n-best lists: every format, with faults, and an independent reading of them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

from tests.fuzzing import damage, reading
from tests.fuzzing.case import Case, Loss, expect

WORDS = ("the", "cat", "sat", "on", "a", "mat", "été", "3", "-", "=", "x=1", "a:b", "%", "'s")


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.choice((0, 1, 2, 4, 6))))


def _value(rng: random.Random) -> str:
    return rng.choice(
        (f"{rng.gauss(0, 5):.3f}", f"{rng.gauss(0, 5)!r}", "0", "1", "-1", f"{rng.random():.2e}")
    )


def _hyps(rng: random.Random) -> list[tuple[int, str]]:
    sids = [sid for sid in range(3) for _ in range(rng.choice((1, 2, 3)))]
    if rng.random() < 0.2:
        rng.shuffle(sids)
    return [(sid, _sentence(rng)) for sid in sids]


def _moses(rng: random.Random) -> str:
    widths = {"LM0": 1, "TM0": rng.choice((1, 2, 4)), "Distortion0": 1}
    labels = rng.random() < 0.9
    sparse = labels and rng.random() < 0.4
    tail = rng.choice(("", " ||| 0-0 1-1", " ||| 0=0 1=1 ||| 0-0 1-1"))
    lines = []
    for sid, text in _hyps(rng):
        parts = [
            (f"{k}= " if labels else "") + " ".join(_value(rng) for _ in range(n))
            for k, n in widths.items()
        ]
        parts += (
            [f"tgt_{w}= {rng.randint(1, 3)}" for w in rng.sample(("the", "a", "on"), 2)]
            if sparse
            else []
        )
        lines.append(f"{sid} ||| {text} ||| {' '.join(parts)} ||| {_value(rng)}{tail}")
    return "\n".join(lines) + "\n"


def _joined(rng: random.Random) -> str:
    lines = []
    for sid, text in _hyps(rng):
        parts = [f"{name}={_value(rng)}" for name in ("lm_0", "tm_pt_0", "Glue")]
        parts += [f"S_{w}=1" for w in rng.sample(("x", "y"), rng.randint(0, 2))]
        lines.append(f"{sid} ||| {text} ||| {' '.join(parts)} ||| {_value(rng)}")
    return "\n".join(lines) + "\n"


def _travatar(rng: random.Random) -> str:
    lines = [
        f"{sid} ||| {text} ||| {_value(rng)} ||| lm={_value(rng)} w={_value(rng)}"
        for sid, text in _hyps(rng)
    ]
    return "\n".join(lines) + "\n"


def _phrasal(rng: random.Random) -> str:
    lines = [
        f"{sid} ||| {text} ||| LM: {_value(rng)} WP: {_value(rng)} ||| {_value(rng)}"
        for sid, text in _hyps(rng)
    ]
    return "\n".join(lines) + "\n"


def _marian(rng: random.Random) -> str:
    lines = []
    scores, links = rng.random() < 0.4, rng.random() < 0.4
    for sid, text in _hyps(rng):
        middle = " ||| 0-0 1-1" if links else ""
        middle += (
            " ||| WordScores= " + " ".join(_value(rng) for _ in [*text.split(), ""])
            if scores
            else ""
        )
        lines.append(f"{sid} ||| {text}{middle} ||| F0= {_value(rng)} ||| {_value(rng)}")
    return "\n".join(lines) + "\n"


def _fairseq(rng: random.Random) -> str:
    lines = []
    for sid, text in _hyps(rng):
        value = _value(rng)
        lines += [f"S-{sid}\tle chat", f"H-{sid}\t{value}\t{text}", f"D-{sid}\t{value}\t{text}"]
        lines += [f"P-{sid}\t{_value(rng)} {_value(rng)}"]
    return "\n".join(lines) + "\n"


def _jsonl(rng: random.Random) -> str:
    lines = []
    for sid, text in _hyps(rng):
        hyp: dict[str, object] = {
            "text": text,
            "features": {"LM0": rng.gauss(0, 3), "TM0": [0.5, -1]},
        }
        hyp |= {"score": rng.gauss(0, 3)} if rng.random() < 0.7 else {}
        hyp |= (
            {"gain": rng.random(), "stats": [5, 5, 3, 2, 1, 0, 5, 4, 3, 2]}
            if rng.random() < 0.3
            else {}
        )
        hyp |= {"fields": {"alignment": "0-0"}} if rng.random() < 0.3 else {}
        lines.append(
            json.dumps(
                {"sid": sid, "hyps": [hyp, hyp]} if rng.random() < 0.3 else {"id": sid, **hyp}
            )
        )
    return "\n".join(lines) + "\n"


def _tsv(rng: random.Random) -> str:
    lines = ["id\ttext\tscore\tlm\tlength"]
    lines += [
        f"{sid}\t{text}\t{_value(rng)}\t{_value(rng)}\t{_value(rng)}" for sid, text in _hyps(rng)
    ]
    return "\n".join(lines) + "\n"


FORMATS = {
    "moses": _moses,
    "cdec": _joined,
    "joshua": _joined,
    "travatar": _travatar,
    "phrasal": _phrasal,
    "marian": _marian,
    "fairseq": _fairseq,
    "jsonl": _jsonl,
    "tsv": _tsv,
}


def list_case(rng: random.Random) -> Case:
    """A list of one of the formats, with faults, imported."""
    form = rng.choice(list(FORMATS))
    data = damage.text(FORMATS[form](rng), rng)
    chosen = form if rng.random() < 0.7 else "auto"
    words = ["-q", "list", "--format", chosen]

    def check(folder: Path) -> None:
        lists = reading.lists(folder / "out")
        expect(sum(len(v.hyps) for v in lists), _count(data, form, chosen), "hypotheses")
        if form in VALUES and chosen == form:
            _check_values(lists, _lines(data), form)
        _check_round_trip(folder)

    return Case(f"list-{form}", {"list": data}, "import-nbest", words, check)


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8").removeprefix("\ufeff")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if not lines[-1] else lines


def _count(data: bytes, form: str, chosen: str) -> int:
    """Hypotheses of a list that was read: lines, but for formats with lines of other kinds."""
    lines = _lines(data)
    full = [line for line in lines if line.strip(" \t")]
    if form == "fairseq":
        return sum(bool(re.match(r"H-\d+\t", line)) for line in lines)
    if form == "tsv":
        return len(full) - 1
    if form == "jsonl":
        objects = [json.loads(line) for line in full]
        keys = ("hyps", "hypotheses", "nbest")
        return sum(next((len(v[k]) for k in keys if k in v), 1) for v in objects)
    return len(full)


VALUES = ("moses", "cdec", "joshua", "travatar", "phrasal")


Values = list[tuple[list[str], list[float]]]


def _by_number(lists: dict[str, Values]) -> dict[str, Values]:
    """The lists of ids that are all numbers, which go by these: 01 is 1."""
    found: dict[str, Values] = {}
    for key, values in lists.items():
        found.setdefault(str(int(key)), []).extend(values)
    return found


def _check_values(lists: list[reading.Listed], lines: list[str], form: str) -> None:
    """The words and the numbers of every hypothesis are those between its bars."""
    expected: dict[str, Values] = {}
    for line in lines:
        fields = [field.strip(" \t") for field in line.split("|||")]
        features, score = (3, 2) if form == "travatar" else (2, 3)
        if len(fields) != 4 or "|" in fields[1] or not damage.NUMBER.fullmatch(fields[score]):
            return  # marks in the text, or fields that their number does not name
        values = sorted([*_numbers(fields[features], form), float(fields[score])])
        expected.setdefault(fields[0], []).append((fields[1].split(), values))
    if all(map(re.compile("[0-9]+").fullmatch, expected)):
        expected = _by_number(expected)
    for one in lists:
        if one.score is None:
            raise Loss(f"sentence {one.sid} lost its scores")
        found = [
            (text.split(), sorted([*(value for _, value in row), score]))
            for (text, row), score in zip(one.hyps, one.score, strict=True)
        ]
        expect(found, expected[one.id], f"sentence {one.id}: words and numbers")


def _numbers(field: str, form: str) -> list[float]:
    mark = ":" if form == "phrasal" else "="
    tokens = [token for token in re.split(r"[ \t]+", field) if token and not token.endswith(mark)]
    return [float(token.rpartition(mark)[2]) for token in tokens]


def _check_round_trip(folder: Path) -> None:
    """JSON lines hold all that was read."""
    from tests.fuzzing.running import again

    again("export-nbest", ["out", "--format", "jsonl", "-q", "-o", "again.jsonl"])
    again("import-nbest", ["again.jsonl", "-q", "-o", "again"])
    found, lists = reading.lists(folder / "again"), reading.lists(folder / "out")
    expect([vars(v) for v in found], [vars(v) for v in lists], "a round trip by JSON lines")
