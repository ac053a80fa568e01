"""What a run warns of, a line each: texts that do not fit, unknown words, a dev that got worse."""

from __future__ import annotations

from collections.abc import Iterator

from campanula.formats.text.parts import Text
from campanula.pipelines.evaluation import copied_words, evaluate
from campanula.pipelines.history import Values, digits_of

MANY = 0.02
"""Share of unknown words that is worth a line; names and numbers are some in any text."""


def of_data(name: str, source: str, summary: str, lists: str) -> Iterator[str]:
    """Yield what stands out in the first decoding of a data set.

    source is its text, summary and lists are what scoring has made.
    """
    unlike = evaluate(summary).warning
    if unlike is not None:
        yield f"{name}: {unlike}"
    n_words = sum(len(line.split()) for line in Text(source))
    copied = copied_words(lists)
    if copied > MANY * n_words:
        words = f"{copied:,} of {n_words:,} words"
        yield f"{name}: {words} are in no phrase pair of the model, and copied as they are"


def of_tuning(title: str, before: Values, after: Values, higher: bool) -> Iterator[str]:
    """Yield a line where dev is worse under the weights that are kept than under the first ones."""
    worse = after.dev < before.dev if higher else after.dev > before.dev
    if worse:
        digits = digits_of((before.dev, after.dev))
        values = f"{title} {after.dev:.{digits}f}, before {before.dev:.{digits}f}"
        yield f"tuning has made dev worse: {values}; --keep best keeps the best weights"
