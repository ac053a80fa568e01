"""Ranges of the values of features, and correlations of features within lists.

For the choice among the hypotheses of a list only differences within the list count.  So the
correlation of two columns x and y (features, or a feature and the gain) is over all lists, each
about its own mean:

    r(x, y) = sum_ij (x_ij - mean_i x) (y_ij - mean_i y) / sqrt(of x and x, times of y and y)

A hypothesis without a feature has the value 0, as in a score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from campanula.formats.arrays.growing import grown_with_zeros
from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names

Array = TypeVar("Array", Floats, Ints)

MOST_PAIRED = 1000
"""More features than that are correlated with the gain alone."""


@dataclass(frozen=True, slots=True)
class FeatureLine:
    """A feature: its range, and the share of lists of several hypotheses in which it is constant.

    gain_correlation: with the gain.  alike: the feature with the highest |correlation|.  None where
    there is no correlation: the feature is constant in every list, or the only one.
    """

    name: str
    lowest: float
    highest: float
    constant: float | None
    gain_correlation: float | None
    alike: str | None
    alike_correlation: float | None


class FeatureSums:
    """Sums over lists, a row for each feature in the ids that `add` gets, which may change."""

    def __init__(self) -> None:
        self._ids: Ids = np.zeros(0, np.int32)
        self._row: Ids = np.zeros(0, np.int32)  # by id, from 1 on; 0: none
        self._n_lists = self._n_several = 0
        self._lowest = np.zeros(0)
        self._highest = np.zeros(0)
        self._entries = np.zeros(0, np.int64)
        self._varies = np.zeros(0, np.int64)
        self._with_gain = np.zeros(0)
        self._products: Floats = np.zeros((0, 0))  # (m, m), or of many features the diagonal (m,)
        self._gain = 0.0
        self._knows_gains = True

    def add(self, kbest: KBest, ids: Ids) -> None:
        """Add a list; ids (m,) are the features that have a row from now on.

        An id that is new has been in no list before, and one that has lost its row never gets one
        again.
        """
        self._row = grown_with_zeros(self._row, len(kbest.names))
        if ids is not self._ids:
            self._arrange(ids)
        self._n_lists += 1
        value = self._values(kbest.features)
        np.minimum(self._lowest, value.min(axis=1), out=self._lowest)
        np.maximum(self._highest, value.max(axis=1), out=self._highest)
        self._entries += np.count_nonzero(value, axis=1)
        self._knows_gains = self._knows_gains and kbest.gain is not None
        if len(kbest) > 1:
            self._n_several += 1
            self._varies += (value != value[:, :1]).any(axis=1)
            self._correlate(about_mean(value), kbest.gain)

    def _arrange(self, ids: Ids) -> None:
        """Give each of the ids (m,) a row, with its sums so far."""
        before = self._row[ids]
        had_row = before > 0
        place = before[had_row].astype(np.int64) - 1
        first = np.inf if not self._n_lists else 0.0  # what was in no list had value 0 in all
        self._lowest = _moved(self._lowest, had_row, place, first)
        self._highest = _moved(self._highest, had_row, place, -first)
        self._entries = _moved(self._entries, had_row, place)
        self._varies = _moved(self._varies, had_row, place)
        self._with_gain = _moved(self._with_gain, had_row, place)
        if self._products.ndim == 2 and len(ids) <= MOST_PAIRED:
            products = np.zeros((len(ids), len(ids)))
            products[np.ix_(had_row, had_row)] = self._products[np.ix_(place, place)]
        else:
            own = self._products if self._products.ndim == 1 else self._products.diagonal()
            products = _moved(own, had_row, place)
        self._products = products
        self._row[self._ids] = 0
        self._row[ids] = np.arange(len(ids)) + 1
        self._ids = ids

    def _values(self, features: Features) -> Floats:
        """Return the values (m, n_hyps) of the features that have a row."""
        value = np.zeros((len(self._ids), len(features)))
        row = self._row[features.dense_id]
        value[row[row > 0] - 1] = features.dense[row > 0]
        ones = np.ones(len(features.binary_id))
        for pointer, ids, entry in (
            (features.sparse_pointer, features.sparse_id, features.sparse_value),
            (features.binary_pointer, features.binary_id, ones),
        ):
            row = self._row[ids]
            listed = row > 0
            if listed.any():
                place = np.repeat(np.arange(len(features)), lengths_of(pointer))
                value[row[listed] - 1, place[listed]] = entry[listed]
        return value

    def _correlate(self, value: Floats, gain: Floats | None) -> None:
        """Add the products of values (m, n_hyps) about their means."""
        if self._products.ndim == 2:
            self._products += value @ value.T
        else:
            self._products += (value * value).sum(axis=1)
        if gain is not None:
            about = about_mean(gain[None])[0]
            self._with_gain += value @ about
            self._gain += float(about @ about)

    @property
    def entries(self) -> int:
        """Number of values that are not 0."""
        return int(self._entries.sum())

    def lines(self, names: Names) -> list[FeatureLine]:
        """Return a line for every feature, by name: ids differ between shards and streams."""
        if not self._n_lists:
            return []
        own = self._products if self._products.ndim == 1 else self._products.diagonal()
        gain = _over(self._with_gain, np.sqrt(own) * np.sqrt(self._gain))
        constant = self._n_several - self._varies
        spelled = [names[number] for number in self._ids.tolist()]
        order = sorted(range(len(spelled)), key=lambda row: sort_key(spelled[row]))
        lines = []
        for row in order:
            other, alike = self._most_alike(row, own, order)
            line = FeatureLine(
                spelled[row],
                float(self._lowest[row]) + 0.0,  # -0.0 becomes 0.0
                float(self._highest[row]) + 0.0,
                int(constant[row]) / self._n_several if self._n_several else None,
                _or_none(gain[row]) if self._knows_gains else None,
                None if other is None else spelled[other],
                alike,
            )
            lines.append(line)
        return lines

    def _most_alike(
        self, row: int, own: Floats, order: list[int]
    ) -> tuple[int | None, float | None]:
        """Return the row with the highest |correlation| with a row, and the correlation.

        own (m,): sums of squares.  Of several such rows the first in `order` counts.
        """
        if self._products.ndim == 1:
            return None, None
        correlation = _over(self._products[row], np.sqrt(own[row]) * np.sqrt(own))
        correlation[row] = np.nan
        if np.isnan(correlation).all():
            return None, None
        other = order[int(np.nanargmax(np.abs(correlation[order])))]
        return other, float(correlation[other])


def sort_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return the key by which names are sorted: F2 stands before F10."""
    words = re.split("[0-9]+", name)
    numbers = re.findall("[0-9]+", name)
    # of numbers without leading zeros the shorter is the smaller, and equal lengths sort as text
    sizes = [number.lstrip("0") for number in [*numbers, ""]]
    keys = [key for word, n in zip(words, sizes, strict=True) for key in ((0, word), (len(n), n))]
    return keys, name


def about_mean(value: Floats) -> Floats:
    """Return rows (m, n) less their means; a constant row becomes exactly 0."""
    # the first column is subtracted before: the mean of n equal numbers may be rounded, that of
    # zeros is not
    apart = value - value[:, :1]
    return np.asarray(apart - apart.mean(axis=1, keepdims=True))


def _moved(array: Array, had_row: Flags, place: Ints, first: float = 0.0) -> Array:
    """Return an array (m,) for new rows: the old value of a row that had one, else `first`.

    had_row (m,): which of the new rows were there before.  place: their old rows, in that order.
    """
    fresh = np.full(len(had_row), first, array.dtype)
    fresh[had_row] = array[place]
    return fresh


def _over(products: Floats, sizes: Floats) -> Floats:
    """Return correlations: sums of products over their largest possible sizes; NaN for none."""
    defined = np.isfinite(products) & np.isfinite(sizes) & (sizes > 0.0)
    quotient = np.divide(products, sizes, out=np.full(len(sizes), np.nan), where=defined)
    return np.asarray(np.clip(quotient, -1.0, 1.0))  # rounding may lead beyond 1


def _or_none(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
