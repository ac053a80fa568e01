"""Cases of weights files: every format, with faults."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

from tests.fuzzing import damage
from tests.fuzzing.case import Case, Loss, expect
from tests.fuzzing.running import again

NAMES = ("LM0", "WordPenalty0", "TM0_0", "TM0_1", "pair_a~~b", "S=x", "ü", "OOV")


def _value(rng: random.Random) -> str:
    return rng.choice((f"{rng.gauss(0, 1):.4f}", repr(rng.gauss(0, 1)), "0", "1", "-1e-05"))


def _lines(rng: random.Random, pattern: str) -> str:
    names = rng.sample(NAMES, rng.randint(1, 6))
    lines = [pattern % (name, _value(rng)) for name in names]
    if rng.random() < 0.3:
        lines.insert(rng.randrange(len(lines)), "# a comment")
    return "\n".join(lines) + "\n"


def _plain(rng: random.Random) -> str:
    return _lines(rng, "%s %s")


def _cdec(rng: random.Random) -> str:
    return _lines(rng, rng.choice(("%s %s", "%s=%s", "%s\t%s")))


def _moses(rng: random.Random) -> str:
    weights = [
        f"LM0= {_value(rng)}",
        f"TM0= {_value(rng)} {_value(rng)}",
        f"WordPenalty0= {_value(rng)}",
    ]
    return (
        "[input-factors]\n0\n\n[feature]\nWordPenalty\n\n[weight]\n"
        + "\n".join(weights)
        + "\n\n[beam]\n5\n"
    )


def _joshua(rng: random.Random) -> str:
    weights = [f"{n} {_value(rng)}" for n in ("lm_0", "tm_pt_0", "tm_pt_1", "WordPenalty")]
    settings = ["lm = kenlm 5 false false 100 lm.gz", "top-n = 300", "# a comment"]
    return "\n".join([*settings[: rng.randint(0, 3)], *weights]) + "\n"


def _travatar(rng: random.Random) -> str:
    return rng.choice((" ", "\n")).join(f"{n}={_value(rng)}" for n in NAMES[:4]) + "\n"


def _mert(rng: random.Random) -> str:
    return rng.choice((" ", "\n")).join(_value(rng) for _ in range(5)) + "\n"


def _json(rng: random.Random) -> str:
    values = {n: rng.gauss(0, 1) for n in NAMES[:4]}
    return json.dumps({**values, "TM1": [0.5, 1]}, indent=rng.choice((None, 1)))


FORMATS = {
    "plain": _plain,
    "moses": _moses,
    "cdec": _cdec,
    "joshua": _joshua,
    "travatar": _travatar,
    "mert": _mert,
    "json": _json,
}
WRITTEN = ("plain", "moses", "cdec", "joshua", "travatar", "json")


def weights_case(rng: random.Random) -> Case:
    """A weights file with faults, imported, written in another format and imported again."""
    form = rng.choice(list(FORMATS))
    data = damage.text(FORMATS[form](rng), rng)
    chosen = form if rng.random() < 0.6 else "auto"
    other = rng.choice(WRITTEN)

    def check(folder: Path) -> None:
        found = weights(folder / "out")
        if chosen == form and form in COUNTS:
            values = COUNTS[form](data.decode().removeprefix("\ufeff"))
            expect(sorted(found.values()), sorted(values), "values")
        if again("export-weights", ["out", "--format", other, "-q", "-o", "again"], refused=True):
            again("import-weights", ["again", "--format", other, "-q", "-o", "back"])
            expect(weights(folder / "back"), found, f"a round trip by {other}")

    words = ["-q", "weights", "--format", chosen]
    return Case(f"weights-{form}", {"weights": data}, "import-weights", words, check)


def weights(path: Path) -> dict[str, float]:
    """The weights of a file of ours."""
    found: dict[str, float] = {}
    for line in path.read_text().split("\n"):
        if line and line != "#" and not line.startswith("# "):
            name, _, value = line.rpartition(" ")
            if name in found or not abs(float(value)) < float("inf"):
                raise Loss(f"weights hold {line!r}")
            found[name] = float(value)
    return found


def _full(text: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return [line for line in lines if line.strip(" \t") and not line.lstrip(" \t").startswith("#")]


def _last(text: str) -> list[float]:
    return [float(re.split(r"[ \t=]+", line.strip(" \t"))[-1]) for line in _full(text)]


def _of_json(text: str) -> list[float]:
    values = json.loads(text).values()
    return [float(v) for value in values for v in (value if isinstance(value, list) else [value])]


def _of_travatar(text: str) -> list[float]:
    return [
        float(token.rpartition("=")[2])
        for token in re.split(r"[ \t\n]+", "\n".join(_full(text)))
        if token
    ]


COUNTS = {"cdec": _last, "json": _of_json, "travatar": _of_travatar}
