"""Whether the scores of a phrase table are the relative frequencies of its counts.

    p(f | e) = N(f, e) / N(e),  p(e | f) = N(f, e) / N(f)

in columns 0 and 2 of the scores, as written by extract-blocks, and by Moses without smoothing.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ids
from campanula.formats.errors import DataError
from campanula.formats.model.model import Model

# Columns of p(f | e), lex(f | e), p(e | f), lex(e | f) among the scores.
INVERSE, LEX_INVERSE, DIRECT, LEX = range(4)
TOLERANCE = 2e-5  # of a logarithm: tables print six digits
ROWS = 1 << 20  # rows checked at a time


def refuse_other_scores(model: Model, table: str, lexical: bool = False) -> None:
    """Raise DataError for the first row, by source phrase, with other scores.

    lexical: also for a table without both lexical weights.
    """
    n_scores = model.score.shape[1]
    if n_scores <= (LEX if lexical else DIRECT):
        expected = "p(f|e) lex(f|e) p(e|f) lex(e|f)" if lexical else "p(f|e) lex p(e|f)"
        problem = f"expected the scores {expected}, found {n_scores}"
        raise DataError(table, None, f"{problem}: there is nothing to leave out")
    if not len(model.count):
        raise DataError(table, None, "expected counts as the fifth field of each row, found none")
    # nodes without rows may start behind the last row; their entries are repeated 0 times
    first = np.minimum(model.row_start[:-1], len(model.count) - 1)
    n_source = np.repeat(model.count[first, 1], np.diff(model.row_start))
    for begin in range(0, len(model.count), ROWS):
        rows = slice(begin, begin + ROWS)
        wrong = np.flatnonzero(_wrong(model, rows, n_source[rows]))
        if len(wrong):
            _refuse(model, table, begin + int(wrong[0]))


def _wrong(model: Model, rows: slice, n_source: Ids) -> Flags:
    """Return the mask of the rows with other scores, no counts, or another N(f) than n_source."""
    count = model.count[rows].astype(np.float64)
    score = model.score[rows]
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.log(count[:, 2:] / count[:, :2])
    difference = np.abs(expected - score[:, [INVERSE, DIRECT]]).max(axis=1)
    # "not smaller": counts of 0 give NaN, which no comparison would call too large
    wrong = ~(difference < TOLERANCE) | (count.min(axis=1) < 1) | (count[:, 1] != n_source)
    return np.asarray(wrong, np.bool_)


def _refuse(model: Model, table: str, row: int) -> None:
    n_e, n_f, both = model.count[row].tolist()
    found = np.exp(model.score[row, [INVERSE, DIRECT]])
    problem = (
        f"expected relative frequencies of its counts {n_e} {n_f} {both}, "
        f"found {found[0]:.6g} and {found[1]:.6g}"
    )
    node = int(np.searchsorted(model.row_start, row, side="right")) - 1
    first = int(model.count[model.row_start[node], 1])
    if min(n_e, n_f, both) < 1:
        shown = f"{n_e} {n_f} {both}" if n_e or n_f or both else "none"  # a row without: zeros
        problem = f"expected counts of at least 1 as the fifth field, found {shown}"
    elif n_f != first:
        problem = f"expected n(f) = {first} as in the source phrase's first row, found {n_f}"
    raise DataError(table, f"row '{block_text(model, row)}'", problem)


def block_text(model: Model, row: int) -> str:
    """Return source and target phrase of a row as in a phrase table, for messages."""
    node = int(np.searchsorted(model.row_start, row, side="right")) - 1
    words: list[bytes] = []
    while node > 0:  # search the whole trie for each parent: slow, but done once
        before, word, _ = model.trie[np.flatnonzero(model.trie[:, 2] == node)[0]].tolist()[:3]
        words.insert(0, model.source.word(word))
        node = before
    begin, end = model.target_start[row : row + 2].tolist()
    target = [model.target.word(word) for word in model.target_word[begin:end].tolist()]
    return b" ".join([*words, b"|||", *target]).decode(errors="replace")
