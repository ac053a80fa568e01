"""A feature of the user's own: a function that returns a number for each text of a list.

    def question_marks(texts):
        return [text.count("?") for text in texts]

A parameter `source` gets the source sentence, a line of --source; a parameter `sid` gets the number
of the sentence, from 0:

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
    """Add the flag of the source."""
    p.add_argument("--source", metavar="FILE", help="source sentences, where the feature asks")


def own_feature(name: str, function: Function) -> Feature:
    """Return the feature of a function; its summary is the first line of the docstring."""
    if not callable(function):
        raise TypeError(f"feature {name}: expected a function, found {function!r}")
    lines = (function.__doc__ or "a feature of your own").strip().splitlines()
    return Feature(lines[0], ("source",), add_flags, partial(own_values, name, function))


def own_values(name: str, function: Function, source: str | None = None) -> FeatureValues:
    """Return the values of a function; raises UsageError for one that needs --source."""
    from inspect import signature

    parameters = signature(function).parameters
    made_by = name
    file = ""
    lines = None
    if "source" in parameters:
        if source is None:
            raise UsageError(f"the feature {name} needs --source FILE")
        file = display_name(source)
        lines = list(read_lines(source))
        # the sentences are part of what determines the values, the path of their file is not
        made_by = f"{name}:{xxhash.xxh3_64_hexdigest(chr(10).join(lines).encode())}"

    def of_list(kbest: KBest) -> Floats:
        arguments: dict[str, object] = {"sid": kbest.sid} if "sid" in parameters else {}
        if lines is not None:
            arguments["source"] = line_of(lines, kbest.sid, file)
        return numbers(function(list(kbest.text), **arguments), kbest, name)

    return FeatureValues(of_list, made_by)


def line_of(lines: Sequence[str], sid: int, file: str) -> str:
    """Return the line of a sentence; raises DataError where the file has none."""
    if sid >= len(lines):
        problem = f"expected a line for every sentence, found {len(lines)} lines"
        raise DataError(file, f"sentence {sid}", problem)
    return lines[sid]


def numbers(values: Any, kbest: KBest, name: str) -> Floats:
    """Return a function's values (n_hyps,); raises DataError unless each is one finite number."""
    # list() takes generators, which NumPy would take for one object
    column = np.array(values if isinstance(values, np.ndarray) else list(values), np.float64)
    if column.shape != (len(kbest),) or not np.isfinite(column).all():
        n = len(kbest)
        shown = f"{len(column)}" if column.shape != (n,) else "some that are not finite"
        problem = f"expected {n} finite numbers, one a hypothesis, found {shown}"
        raise DataError(f"feature {name}", f"sentence {kbest.sid}", problem)
    return column
