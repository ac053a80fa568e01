"""An n-gram model as an automaton: a state is a context, a transition reads a word.

    score(s, w) = p(s, w)                         when the model has the n-gram s w
                  backoff(s) + score(lower(s), w) otherwise
    next(s, w)  = the longest suffix of s w that is a state

Only those contexts are states that a longer n-gram extends, or whose back-off weight is not 0 (Li
and Khudanpur 2008; Heafield 2011, section 4.1).  Two hypotheses in one state get the same scores
for all words that follow, so recombination compares one number.  State 0 is the empty context.
All values are natural logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from campanula.formats.arpa.reader import Arpa
from campanula.formats.arrays.columns import BACKOFF, CONTEXT, LOWER, UNIGRAM_TARGET, UNIGRAM_VALUE
from campanula.formats.arrays.types import Flags, Ids, Ints, Singles
from campanula.formats.model.hash_table import transition_table
from campanula.formats.model.sorted_ngrams import BEGIN, END, SortedOrder, find

# the default of KenLM (unknown_missing_logprob), so that both give the same scores
MISSING_UNKNOWN = -100.0  # log10 probability of an unknown word when the model has no <unk>
UNKNOWN = b"<unk>"
CAPITALS = b"<UNK>"  # spelling of <unk> in some models, such as Kaldi's
START_STATE, END_WORD, UNKNOWN_WORD = range(3)  # columns of Automaton.special


@dataclass(frozen=True)
class Automaton:
    """Arrays of the automaton; words are numbered as the unigrams of the file.

    table: the transitions out of states other than 0 (hash_table.transition_table); unigram
    (n_words, 2): those out of state 0, the bits of the float32 log probability and the next state;
    state (n_states, 4): the bits of the float32 back-off weight, the state to back off to, the
    length of the context, 0; special (1, 3): START_STATE, END_WORD </s>, UNKNOWN_WORD <unk>.
    Numbers that are read together lie together in memory, which is why floats are stored as bits.
    The automaton of several models has a row of `special` and an empty context for each
    (language_models.py).
    """

    table: Ids
    unigram: Ids
    state: Ids
    special: Ints


def with_unknown(arpa: Arpa) -> Arpa:
    """Return the model with the word <unk>, added when it has none.

    The word <UNK>, as Kaldi and others write it, is renamed to <unk>, as KenLM does.
    """
    if UNKNOWN in arpa.vocabulary:
        return arpa
    if CAPITALS in arpa.vocabulary:
        renamed = [UNKNOWN if word == CAPITALS else word for word in arpa.vocabulary]
        return replace(arpa, vocabulary=renamed)
    new = np.array([[len(arpa.vocabulary)]], dtype=np.int32)
    words = [np.concatenate([arpa.words[0], new]), *arpa.words[1:]]
    prob = [np.append(arpa.prob[0], np.float32(MISSING_UNKNOWN)), *arpa.prob[1:]]
    backoff = [np.append(arpa.backoff[0], np.float32(0)), *arpa.backoff[1:]]
    return Arpa([*arpa.vocabulary, UNKNOWN], words, prob, backoff)


def automaton_of(vocabulary: list[bytes], orders: list[SortedOrder]) -> Automaton:
    """Build the automaton of sorted n-grams, whose words are numbered as in the vocabulary."""
    key, prob, backoff, level = _joined(orders)
    suffix = _suffixes(key, level)
    context = key >> 32
    # place 0 is the empty n-gram, which is always a state; n-gram i of _joined has place i + 1
    is_state = np.concatenate([[True], backoff != 0])
    is_state[context] = True
    target = _longest_state(is_state, suffix, level)
    number = np.cumsum(is_state) - 1  # of the state that an n-gram is
    n_words = len(vocabulary)
    states = np.flatnonzero(is_state)
    above = slice(n_words, None)  # n-grams longer than one word
    order = np.repeat(np.arange(len(level) - 1), np.diff(level))
    unigram = np.empty((n_words, 2), dtype=np.int32)
    unigram[:, UNIGRAM_VALUE] = prob[:n_words].view(np.int32)
    unigram[:, UNIGRAM_TARGET] = number[target[1 : n_words + 1]]
    weight = np.concatenate([np.zeros(1, np.float32), backoff])[states]
    state = np.zeros((len(states), 4), dtype=np.int32)
    state[:, BACKOFF] = weight.view(np.int32)
    # the empty context has no suffix (-1): 0, itself, stands there, and its words are `unigram`
    state[:, LOWER] = number[target[np.maximum(suffix[states], 0)]]
    state[:, CONTEXT] = order[states]
    return Automaton(
        table=transition_table(
            number[context[above]],
            key[above] & 0xFFFFFFFF,
            number[target[1:][above]],
            prob[above],
        ),
        unigram=unigram,
        state=state,
        special=np.array(
            [
                [
                    number[target[1 + vocabulary.index(BEGIN)]],
                    vocabulary.index(END),
                    vocabulary.index(UNKNOWN),
                ]
            ],
            dtype=np.int64,
        ),
    )


def _joined(orders: list[SortedOrder]) -> tuple[Ints, Singles, Singles, Ints]:
    """Join the n-grams of all orders, shorter ones first: (key, prob, backoff, level).

    N-gram i of all has number i + 1 (the empty one has 0), and the contexts in keys are these
    numbers; those of n words are level[n] to level[n + 1] - 1.  Contexts of a lower order have
    lower numbers, so the keys of all orders together are sorted.
    """
    level = np.cumsum([0, 1, *(len(order.key) for order in orders)])
    # a key's context is a place among the n-grams one word shorter, whose first number is `first`;
    # level has two numbers more than there are orders, so the lengths differ
    keys = [order.key + (first << 32) for order, first in zip(orders, level.tolist(), strict=False)]
    prob = np.concatenate([order.prob for order in orders])
    backoff = np.concatenate([order.backoff for order in orders])
    return np.concatenate(keys), prob, backoff, level


def _suffixes(key: Ints, level: Ints) -> Ints:
    """Return the longest proper suffix of each n-gram that is an n-gram (-1 for the empty one)."""
    # 0 stays for unigrams, whose only proper suffix is the empty n-gram
    suffix = np.zeros(len(key) + 1, dtype=np.int64)
    suffix[0] = -1
    for start, stop in pairwise(level[2:]):
        context = key[start - 1 : stop - 1] >> 32
        word = key[start - 1 : stop - 1] & 0xFFFFFFFF
        shorter = suffix[context]
        result = np.zeros(stop - start, dtype=np.int64)
        # try ever shorter suffixes of the context, for all n-grams of an order at once; each ends
        # at a unigram at the latest, since every word is one
        while (todo := np.flatnonzero(result == 0)).size:
            result[todo] = find(key, shorter[todo] << 32 | word[todo]) + 1
            shorter[todo] = suffix[shorter[todo]]
        suffix[start:stop] = result
    return suffix


def _longest_state(is_state: Flags, suffix: Ints, level: Ints) -> Ints:
    """Return the longest suffix of each n-gram, itself included, that is a state."""
    # shorter n-grams come first, so the target of a suffix is known when a longer one asks for it
    target = np.arange(len(is_state), dtype=np.int64)
    for start, stop in pairwise(level[1:]):
        shorter = target[suffix[start:stop]]
        target[start:stop] = np.where(is_state[start:stop], target[start:stop], shorter)
    return target
