"""The n-grams of a language model, sorted and checked; its automaton is built from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arpa.reader import Arpa
from campanula.formats.arrays.types import Ints, Singles
from campanula.formats.errors import DataError

LN10 = float(np.log(10.0))
BEGIN = b"<s>"
END = b"</s>"


class SortedOrder(NamedTuple):
    """The n-grams of one length, in order of their keys; all arrays (count,).

    key: `number of the context << 32 | last word`, where the context is the n-gram without its last
    word (0 for unigrams), and an n-gram's number is its place in its order; prob, backoff: natural
    logarithms.
    """

    key: Ints
    prob: Singles
    backoff: Singles


def sorted_ngrams(arpa: Arpa, name: str) -> list[SortedOrder]:
    """Sort the n-grams of a model, one SortedOrder per length; `name` is the model in messages.

    Raises DataError for a model without <s> or </s>, for an n-gram whose context is not in the
    model, and for one that is there twice.
    """
    for special in (BEGIN, END):
        if special not in arpa.vocabulary:
            problem = f"expected the word {special.decode()}, found no such unigram"
            raise DataError(name, None, problem)
    orders: list[SortedOrder] = []
    for words, prob, backoff in zip(arpa.words, arpa.prob, arpa.backoff, strict=True):
        key = _contexts(arpa, name, orders, words.astype(np.int64)) << 32 | words[:, -1]
        order = np.argsort(key, kind="stable")
        if (np.diff(key[order]) == 0).any():
            raise DataError(name, f"{words.shape[1]}-grams", "expected each once, found one twice")
        logs = ((value[order] * LN10).astype(np.float32) for value in (prob, backoff))
        orders.append(SortedOrder(key[order], *logs))
    return orders


def _contexts(arpa: Arpa, name: str, orders: list[SortedOrder], words: Ints) -> Ints:
    """Return the numbers (n,) of the contexts of n-grams (n, length), from the shorter orders."""
    context = np.zeros(len(words), np.int64)
    for k, order in enumerate(orders):
        context = find(order.key, context << 32 | words[:, k])
        orphan = words[context < 0]
        if len(orphan):
            text = b" ".join(arpa.vocabulary[word] for word in orphan[0].tolist())
            gram = f"{words.shape[1]}-gram '{text.decode(errors='replace')}'"
            problem = f"expected its first {k + 1} words as an n-gram, found none"
            raise DataError(name, gram, problem)
    return context


def find(key: Ints, wanted: Ints) -> Ints:
    """Return the place of each wanted key among sorted keys, -1 where there is none."""
    place = np.searchsorted(key, wanted)
    is_there = np.zeros(len(wanted), np.bool_)
    inside = place < len(key)  # a key beyond the last one has no place to compare
    is_there[inside] = key[place[inside]] == wanted[inside]
    return np.where(is_there, place, -1)
