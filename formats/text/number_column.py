"""A column of numbers that another program made, one per line."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError, LineError
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.numbers import finite_number


def read_numbers(path: str) -> Floats:
    """Read the numbers (n_lines,) of a text file; raises DataError that names the line."""
    numbers = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            numbers.append(finite_number(line))
        except LineError as error:
            raise DataError(display_name(path), f"line {number}", str(error)) from error
    return np.array(numbers, np.float64)
