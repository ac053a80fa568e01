"""A column of numbers that another program made: one a line."""

from __future__ import annotations

import math

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name, read_lines


def parse_number(text: str) -> float:
    """A finite number; raises ValueError that says what was found."""
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"expected a finite number, found {text.strip()!r}")
    return value


def read_numbers(path: str) -> Floats:
    """Numbers (n_lines,) of a text file; raises DataError that names the line."""
    numbers = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            numbers.append(parse_number(line))
        except ValueError as error:
            raise DataError(display_name(path), f"line {number}", str(error)) from error
    return np.array(numbers, np.float64)
