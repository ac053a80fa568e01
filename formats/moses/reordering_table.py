"""Read a Moses lexicalised reordering table and join it to the rows of a phrase table.

`source ||| target ||| six probabilities`: msd-bidirectional-fe, that is monotone, swap and
discontinuous relative to the phrase before (backward), then the same for the phrase after
(forward).  They are stored as natural logarithms, at least -100.  A phrase pair that is not in the
table has six scores of 0, as in Moses.
"""

from __future__ import annotations

from array import array

import numpy as np

from campanula.formats.arrays.types import Singles, Words64
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.moses.phrase_table import Logarithms, pair_key, probabilities, rows
from campanula.formats.text.words import split_byte_words

N_SCORES = 6  # monotone, swap, discontinuous; backward, then forward


def read_reordering_table(path: str, key: Words64) -> Singles:
    """Return the scores (n_rows, 6) of the phrase pairs with these keys (n_rows, 2).

    Raises DataError for a bad line, and for a table that has none of these pairs.
    """
    name = display_name(path)
    values = Logarithms()
    keys = array("Q")
    for number, fields in rows(path, 3):
        source = b" ".join(split_byte_words(fields[0]))
        keys.extend(pair_key(source, split_byte_words(fields[1])))
        values.extend(probabilities(fields[2], N_SCORES, name, number))
    table_key = np.array(keys, dtype=np.uint64).reshape(-1, 2)
    score = values.taken().reshape(-1, N_SCORES)
    if np.array_equal(table_key, key):
        return score
    any_found, joined = _join(table_key, score, key)
    if len(table_key) and not any_found:
        problem = f"expected phrase pairs of the phrase table, found none in {len(table_key)} rows"
        raise DataError(name, None, problem)
    return joined


def _join(table_key: Words64, score: Singles, key: Words64) -> tuple[bool, Singles]:
    """Return whether the table has any of the keys (n, 2), and the scores (n, 6) of the keys.

    Of several rows with one key the first counts: np.unique returns first occurrences, and the
    table's rows stand before the keys looked up.
    """
    both = np.concatenate([table_key, key])
    _, first, inverse = np.unique(both, axis=0, return_index=True, return_inverse=True)
    row = first[inverse.reshape(-1)[len(table_key) :]]
    result = np.zeros((len(key), N_SCORES), dtype=np.float32)
    is_found = row < len(table_key)
    result[is_found] = score[row[is_found]]
    return bool(is_found.any()), result
