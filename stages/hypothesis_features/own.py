"""A feature of one's own: a function of the texts of a list, that gives a number for each.

    def question_marks(texts):
        return [text.count("?") for text in texts]

A parameter `source` gets the sentence that they translate, a line of --source, and a parameter
`sid` the sentence's number, from 0:

    def length_ratio(texts, source):
        return [len(text.split()) / len(source.split()) for text in texts]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import xxhash

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name, read_lines
from campanula.formats.records.kbest import KBest
from campanula.stages.command import UsageError
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues

Function = Callable[..., Any]


def add_flags(p: argparse.ArgumentParser) -> None:
    """Flag of the source."""
    p.add_argument("--source", metavar="FILE", help="source sentences, where the feature asks")


def own_feature(name: str, function: Function) -> Feature:
    """The feature of a function."""
    if not callable(function):
        raise TypeError(f"feature {name}: expected a function, found {function!r}")
    lines = (function.__doc__ or "a feature of your own").strip().splitlines()
    return Feature(lines[0], ("source",), add_flags, partial(own_values, name, function))


def own_values(name: str, function: Function, source: str | None = None) -> FeatureValues:
    """Values of a function; raises UsageError where it asks for a source and there is none."""
    from inspect import signature

    parameters = signature(function).parameters
    how = name
    file = ""
    lines = None
    if "source" in parameters:
        if source is None:
            raise UsageError(f"the feature {name} needs --source FILE")
        file = display_name(source)
        lines = list(read_lines(source))
        how = f"{name}:{xxhash.xxh3_64_hexdigest(chr(10).join(lines).encode())}"

    def of_list(kbest: KBest) -> Floats:
        given: dict[str, object] = {"sid": kbest.sid} if "sid" in parameters else {}
        if lines is not None:
            given["source"] = line_of(lines, kbest.sid, file)
        return numbers(function(list(kbest.text), **given), kbest, name)

    return FeatureValues(of_list, how)


def line_of(lines: Sequence[str], sid: int, file: str) -> str:
    """The line of a sentence; raises DataError when there is none."""
    if sid >= len(lines):
        problem = f"expected a line for every sentence, found {len(lines)} lines"
        raise DataError(file, f"sentence {sid}", problem)
    return lines[sid]


def numbers(values: Any, kbest: KBest, name: str) -> Floats:
    """Values as numbers (n_hyps,); raises DataError unless there is a finite one a hypothesis."""
    found = np.array(values if isinstance(values, np.ndarray) else list(values), np.float64)
    if found.shape != (len(kbest),) or not np.isfinite(found).all():
        n = len(kbest)
        shown = f"{len(found)}" if found.shape != (n,) else "some that are not finite"
        problem = f"expected {n} finite numbers, one a hypothesis, found {shown}"
        raise DataError(f"feature {name}", f"sentence {kbest.sid}", problem)
    return found
