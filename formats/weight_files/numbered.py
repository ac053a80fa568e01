"""Names for weights without names, F0, F1, ...: the dense features of Moses's lists, in order.

mert's weights.txt and kbmira's output have a number for each dense feature of Moses's lists.  Moses
writes to lists first the features with a state (reordering models, distortion, language models),
then those without, both in the order of [feature].  Features that are not tuned are left out, which
UnknownWordPenalty is unless the file has tuneable=true.  For a weights file of another kind, or
without [feature], the order is that of its names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from campanula.formats.errors import DataError
from campanula.formats.feature_names.dense import names_of
from campanula.formats.text.numbers import whole_number
from campanula.formats.weight_files.lines import WeightLines

# types of features with a state, which Moses writes to lists first; then those without
STATEFUL = re.compile(r"LexicalReordering|Distortion|OpSequenceModel|\w*LM")
STATELESS = re.compile(r"(Unknown)?WordPenalty|PhrasePenalty|PhraseDictionary\w*|Generation")
UNTUNED = "UnknownWordPenalty"
NUMBER = re.compile(r"F([0-9]{1,9})", re.ASCII)
ONE = ("1", "true", "yes", "on")


def list_order(lines: WeightLines, weights: Sequence[str]) -> list[str]:
    """Return the names of F0, F1, ..., from a weights file and all its names; raises DataError."""
    features = _feature_lines(lines)
    if not features:
        return [name for name in weights if not name.startswith(UNTUNED)]
    stateful: list[str] = []
    stateless: list[str] = []
    counts: dict[str, int] = {}
    for number, text in features:
        kind, *arguments = text.split()
        value = dict(argument.partition("=")[::2] for argument in arguments)
        label = value.get("name", f"{kind}{counts.get(kind, 0)}")
        counts[kind] = counts.get(kind, 0) + ("name" not in value)
        if STATEFUL.fullmatch(kind):
            stateful += _tuned(kind, label, value, weights)
        elif STATELESS.fullmatch(kind):
            stateless += _tuned(kind, label, value, weights)
        # a type without weights is taken to have no numbers in lists, so its place does not matter
        elif any(_belongs(name, label) for name in weights):
            problem = f"expected features whose place in Moses's lists is known, found {kind!r}"
            raise DataError(lines.name, f"line {number}", problem)
    return stateful + stateless


def _feature_lines(lines: WeightLines) -> list[tuple[int, str]]:
    """Return number and text of the lines of [feature]."""
    section = ""
    feature_lines = []
    for number, line in lines.numbered():
        text = line.partition("#")[0].strip(" ")
        if text.startswith("["):
            section = text
        elif text and section == "[feature]":
            feature_lines.append((number, text))
    return feature_lines


def _tuned(kind: str, label: str, value: dict[str, str], weights: Sequence[str]) -> list[str]:
    """Return the names of a feature's values that are in lists: those that are tuned."""
    tuned = value.get("tuneable", "false" if kind == UNTUNED else "true").lower() in ONE
    names = [name for name in weights if _belongs(name, label)]
    if not names:
        names = names_of(label, whole_number(value.get("num-features", "1")) or 1)
    # mert has a number for each component that is tuned, and counts these alone
    components = value.get("tuneable-components")
    if components is not None:
        names = names_of(label, sum(flag.strip() in ONE for flag in components.split(",")))
    return names if tuned else []


def _belongs(name: str, label: str) -> bool:
    """Whether a name is the label itself, or the label with a number."""
    return name == label or (name.startswith(f"{label}_") and name[len(label) + 1 :].isdigit())


def renamed(
    weights: dict[str, float], names: Sequence[str], source: str, names_source: str
) -> dict[str, float]:
    """Rename F0, F1, ... to `names`; raises DataError unless there are as many of both."""
    if not names:
        return weights
    places = [int(match[1]) for name in weights if (match := NUMBER.fullmatch(name))]
    if sorted(places) != list(range(len(names))):
        problem = f"expected {len(names)} numbers, as {names_source} names that many features"
        raise DataError(
            source, None, f"{problem} of its lists ({', '.join(names)}); found {len(places)}"
        )
    named = {
        names[int(match[1])] if (match := NUMBER.fullmatch(name)) else name: value
        for name, value in weights.items()
    }
    if len(named) < len(weights):
        raise DataError(source, None, "expected different names, found one of them twice")
    return named
