"""An n-gram model as an automaton: a state is a context, a transition reads a word.

    score(s, w) = p(s, w)                         when the model has the n-gram s w
                  backoff(s) + score(lower(s), w) otherwise
    next(s, w)  = the longest suffix of s w that is a state

Only contexts that matter are states: those which some n-gram extends, or whose back-off weight is
not 0 (Li and Khudanpur 2008; Heafield 2011, section 4.1).  Two hypotheses in the same state have
the same future, so recombination compares one number.  State 0 is the empty context.
All values are natural logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arpa.reader import Arpa
from campanula.formats.arrays.types import Ids, Ints, Singles
from campanula.formats.errors import DataError
from campanula.formats.model.hash_table import transition_table

LN10 = float(np.log(10.0))
MISSING_UNKNOWN = -100.0  # log10 probability of an unknown word when the model has no <unk>
BEGIN, END, UNKNOWN = b"<s>", b"</s>", b"<unk>"


@dataclass(frozen=True)
class Automaton:
    """Arrays of the automaton; words are numbered as the unigrams of the file.

    `table` holds the transitions out of states other than 0 (hash_table.transition_table);
    `unigram` (n_words, 2) those out of state 0: the bits of the float32 log probability, the next
    state; `state` (n_states, 4): the bits of the float32 back-off weight, the state to back off to,
    the words of the context, 0.  What is read together lies together in memory.
    `special` is (start state, word </s>, word <unk>).
    """

    table: Ids
    unigram: Ids
    state: Ids
    special: Ints


def with_unknown(arpa: Arpa) -> Arpa:
    """Return the model with the word <unk>, added when it has none."""
    if UNKNOWN in arpa.vocabulary:
        return arpa
    new = np.array([[len(arpa.vocabulary)]], dtype=np.int32)
    words = [np.concatenate([arpa.words[0], new]), *arpa.words[1:]]
    prob = [np.append(arpa.prob[0], np.float32(MISSING_UNKNOWN)), *arpa.prob[1:]]
    backoff = [np.append(arpa.backoff[0], np.float32(0)), *arpa.backoff[1:]]
    return Arpa([*arpa.vocabulary, UNKNOWN], words, prob, backoff)


def build_automaton(arpa: Arpa, name: str) -> Automaton:
    """Turn the n-grams of a model (with <unk>) into its automaton; `name` is for error messages."""
    for word in (BEGIN, END):
        if word not in arpa.vocabulary:
            raise DataError(name, None, f"expected the word {word.decode()}, found no such unigram")
    key, prob, backoff, level = _grams(arpa, name)
    suffix = _suffixes(key, level)
    context = key >> 32
    kept = np.concatenate([[True], backoff != 0])
    kept[context] = True
    target = _longest_state(kept, suffix, level)
    number = np.cumsum(kept) - 1
    n_words = len(arpa.vocabulary)
    is_state = np.flatnonzero(kept)
    above = slice(n_words, None)
    order = np.repeat(np.arange(len(level) - 1), np.diff(level))
    unigram = np.stack(
        [prob[:n_words].view(np.int32), number[target[1 : n_words + 1]].astype(np.int32)], axis=1
    )
    weight = np.concatenate([np.zeros(1, np.float32), backoff])[is_state]
    state = np.zeros((len(is_state), 4), dtype=np.int32)
    state[:, 0] = weight.view(np.int32)
    state[:, 1] = number[target[np.maximum(suffix[is_state], 0)]]
    state[:, 2] = order[is_state]
    return Automaton(
        table=transition_table(
            number[context[above]],
            key[above] & 0xFFFFFFFF,
            number[target[1:][above]],
            prob[above],
        ),
        unigram=np.ascontiguousarray(unigram),
        state=state,
        special=np.array(
            [
                number[target[1 + arpa.vocabulary.index(BEGIN)]],
                arpa.vocabulary.index(END),
                arpa.vocabulary.index(UNKNOWN),
            ],
            dtype=np.int64,
        ),
    )


def _grams(arpa: Arpa, name: str) -> tuple[Ints, Singles, Singles, Ints]:
    """All n-grams sorted by order, then (context, last word): key, prob, backoff, level starts.

    N-gram i of the sorted list is number i + 1 (0 is the empty one); its key is
    `number(context) << 32 | last word`.  Contexts of a lower order have lower numbers, so the
    keys of all orders together are sorted.
    """
    keys: list[Ints] = [np.zeros(0, np.int64)]
    probs: list[Singles] = []
    backoffs: list[Singles] = []
    level = [0, 1]
    for n, words in enumerate(arpa.words, 1):
        known = np.concatenate(keys)
        context = np.zeros(len(words), dtype=np.int64)
        for k in range(n - 1):
            found = _find(known, context << 32 | words[:, k])
            if (found < 0).any():
                gram = b" ".join(arpa.vocabulary[w] for w in words[int(np.argmax(found < 0))])
                text = gram.decode(errors="replace")
                raise DataError(
                    name, f"{n}-gram '{text}'", f"expected its first {k + 1} words as an n-gram"
                )
            context = found
        key = context << 32 | words[:, -1]
        order = np.argsort(key, kind="stable")
        if len(order) and (np.diff(key[order]) == 0).any():
            raise DataError(name, f"{n}-grams", "expected each once, found one twice")
        keys.append(key[order])
        probs.append((arpa.prob[n - 1][order] * LN10).astype(np.float32))
        backoffs.append((arpa.backoff[n - 1][order] * LN10).astype(np.float32))
        level.append(level[-1] + len(words))
    return (
        np.concatenate(keys),
        np.concatenate(probs),
        np.concatenate(backoffs),
        np.array(level, dtype=np.int64),
    )


def _find(keys: Ints, wanted: Ints) -> Ints:
    """Return the number of each wanted n-gram, -1 where there is none."""
    place = np.searchsorted(keys, wanted)
    inside = place < len(keys)
    found = np.zeros(len(wanted), dtype=bool)
    found[inside] = keys[place[inside]] == wanted[inside]
    return np.where(found, place + 1, -1)


def _suffixes(key: Ints, level: Ints) -> Ints:
    """Return the longest proper suffix of each n-gram that is an n-gram (-1 for the empty one)."""
    suffix = np.zeros(len(key) + 1, dtype=np.int64)
    suffix[0] = -1
    for start, stop in pairwise(level[2:]):
        context, word = key[start - 1 : stop - 1] >> 32, key[start - 1 : stop - 1] & 0xFFFFFFFF
        shorter, result = suffix[context], np.full(stop - start, -1, dtype=np.int64)
        while (todo := np.flatnonzero(result < 0)).size:
            result[todo] = _find(key, shorter[todo] << 32 | word[todo])
            shorter[todo] = suffix[shorter[todo]]
        suffix[start:stop] = result
    return suffix


def _longest_state(kept: NDArray[np.bool_], suffix: Ints, level: Ints) -> Ints:
    """Return the longest suffix of each n-gram, itself included, that is kept as a state."""
    target = np.arange(len(kept), dtype=np.int64)
    for start, stop in pairwise(level[1:]):
        shorter = target[suffix[start:stop]]
        target[start:stop] = np.where(kept[start:stop], target[start:stop], shorter)
    return target
