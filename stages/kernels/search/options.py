"""Translation options: the best rows of a source phrase, described as the search needs them.

    score(row) = theta . (phrase scores, word penalty, phrase penalty)
                 + sum_m theta_LMm * log p_m(words | nothing before them)
                 + theta_first * log p_0(first word)

The best `limit` rows of a source phrase by that score are its options, as in Moses; ties keep the
table's order.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.memory import find_transition
from campanula.stages.kernels.records import (
    BACKWARD,
    ESTIMATED,
    H_BACKWARD,
    KIND,
    LENGTH,
    LM_STATE,
    ORIENTATIONS,
    PLACE,
    PLAIN,
    ROW,
    TURNS,
    AnyLanguageModel,
    LanguageModel,
    Options,
    RowWeights,
    Table,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def words_log(
    begin: int, end: int, target_word: Ids, to_lm: Ids, lm: LanguageModel, model: int
) -> tuple[float, int]:
    """Return the log probability in a model of words with nothing before them, and the state after.

    The words are target_word[begin:end]; to_lm as in records.Table.
    """
    state = wide(model)  # states 0 to n_lms - 1 have no context
    total = 0.0
    for place in range(begin, end):
        word = wide(to_lm[target_word[place], model])
        step, state = lm_step(lm, state, word)
        total += step
    return total, state


@njit(cache=True, nogil=True)
def end_logs(lm: AnyLanguageModel) -> Floats:
    """Return the log probabilities (n_lms,) that a sentence ends before its first word."""
    value = np.empty(lm.begin.shape[0])
    for m in range(len(value)):
        value[m], _ = lm_step(lm, lm.begin[m], lm.end[m])
    return value


@njit(cache=True, nogil=True)
def estimates(option: Ints, options: Options, lm: AnyLanguageModel, weights: RowWeights) -> Floats:
    """Return weighted log probabilities (n,) of options' words with nothing before them."""
    value = np.zeros(len(option))
    for i in range(len(option)):
        place = options.info[option[i], PLACE]
        length = wide(options.info[option[i], LENGTH])
        for m in range(lm.begin.shape[0]):
            state = wide(m)
            for k in range(length):
                step, state = lm_step(lm, state, wide(options.lm_word[place + k, m]))
                value[i] += weights.lm[m] * step
                if k == 0 and m == 0:
                    value[i] += weights.first * step
    return value


@njit(cache=True, nogil=True)
def plain_score(row: int, table: Table, weights: RowWeights) -> float:
    """Return a row's score without language model; each word counts -1, as in Moses."""
    length = table.target_start[row + 1] - table.target_start[row]
    total = weights.phrase - weights.word * length
    for k in range(table.score.shape[1]):
        total += weights.score[k] * table.score[row, k]
    return float(total)


@njit(cache=True, nogil=True)
def row_value(row: int, table: Table, lm: LanguageModel, weights: RowWeights) -> float:
    """Return a row's score with the language models' estimates."""
    target_word, to_lm = table.target_word, table.to_lm
    begin, end = table.target_start[row], table.target_start[row + 1]
    value = plain_score(row, table, weights)
    for m in range(lm.begin.shape[0]):
        value += weights.lm[m] * words_log(begin, end, target_word, to_lm, lm, m)[0]
    # asked again for the first word alone, which few models weigh apart
    if weights.first != 0.0 and end > begin:
        value += weights.first * words_log(begin, begin + 1, target_word, to_lm, lm, 0)[0]
    return float(value)


@njit(cache=True, nogil=True)
def row_values(row: Ints, table: Table, lm: LanguageModel, weights: RowWeights) -> Floats:
    """Return the scores (n,) of rows with the language models' estimates."""
    value = np.empty(len(row))
    for i in range(len(row)):
        value[i] = row_value(row[i], table, lm, weights)
    return value


@njit(cache=True, nogil=True)
def choose_rows(
    nodes: Ints, table: Table, lm: LanguageModel, weights: RowWeights, limit: int, sparse: Floats
) -> tuple[Ints, Ints]:
    """Return the best rows of each node: start (n_nodes + 1,) and row (start[-1],), best first.

    sparse: scores to add, those of all rows of the nodes in order, or empty.
    """
    row_start = table.row_start
    start = np.zeros(len(nodes) + 1, dtype=np.int64)
    for i in range(len(nodes)):
        start[i + 1] = start[i] + min(row_start[nodes[i] + 1] - row_start[nodes[i]], limit)
    row = np.empty(start[-1], dtype=np.int64)
    score = np.empty(start[-1])
    place_of_row = 0
    for i in range(len(nodes)):
        begin, end, filled = start[i], start[i + 1], start[i]
        for r in range(row_start[nodes[i]], row_start[nodes[i] + 1]):
            value = row_value(r, table, lm, weights)
            if len(sparse) > 0:
                value += sparse[place_of_row]
            place_of_row += 1
            if filled < end:
                filled += 1
            elif value <= score[end - 1]:
                continue  # <=: of equal scores the rows first in the table stay
            # by insertion: `limit` is small, and most rows fail the test above
            place = filled - 1
            while place > begin and score[place - 1] < value:
                score[place], row[place] = score[place - 1], row[place - 1]
                place -= 1
            score[place] = value
            row[place] = r
    return start, row


@njit(cache=True, nogil=True)
def describe_words(
    row: int, table: Table, lm: LanguageModel, model: int, first: int, options: Options
) -> int:
    """Write a row's words in a model, and logs of the words from each on, from place `first` on.

    options.rest of the place behind them must be 0.  Returns the state after the words alone.
    """
    target_word = table.target_word
    to_lm = table.to_lm
    rest = options.rest
    begin, end = table.target_start[row], table.target_start[row + 1]
    length = end - begin
    state = wide(model)
    for k in range(length):
        options.lm_word[first + k, model] = to_lm[target_word[begin + k], model]
    for k in range(length - 1, -1, -1):
        # read anew for each word, since phrases are short: its own log is a difference
        before, _ = words_log(begin, begin + k, target_word, to_lm, lm, model)
        total, after = words_log(begin, begin + k + 1, target_word, to_lm, lm, model)
        rest[first + k, model] = total - before + rest[first + k + 1, model]
        if k == length - 1:  # all words have been read
            state = after
    return state


@njit(cache=True, nogil=True)
def describe_rows(
    row: Ints,
    table: Table,
    lm: LanguageModel,
    weights: RowWeights,
    reordering_weight: Floats,
    n_columns: int,
) -> tuple[Options, Ids]:
    """Return the options of rows, with places from 0 on, and their words' numbers (places,).

    reordering_weight (6 * n_tables,): weights of the table's reordering scores; n_columns:
    OPTION_SCORES or HIERARCHICAL_SCORES of records.
    """
    reordering = table.reordering
    n = len(row)
    places = 0
    for i in range(n):
        # one more than words: options.rest has an entry behind the last
        places += table.target_start[row[i] + 1] - table.target_start[row[i]] + 1
    score = np.zeros((n, n_columns))
    n_lms = lm.begin.shape[0]
    info = np.zeros((n, LM_STATE + n_lms), dtype=np.int32)
    word = np.zeros(places, dtype=np.int32)
    lm_word = np.zeros((places, n_lms), dtype=np.int32)
    options = Options(score, info, lm_word, np.zeros((places, n_lms)))
    # without forward weights all rows have class 0: nodes are not told apart by scores of no weight
    forward = False
    for k in range(len(reordering_weight)):
        forward |= k % TURNS >= ORIENTATIONS and reordering_weight[k] != 0.0
    first = 0
    for i in range(n):
        r = row[i]
        length = table.target_start[r + 1] - table.target_start[r]
        info[i, ROW] = r
        info[i, LENGTH] = length
        info[i, PLACE] = first
        for k in range(length):
            word[first + k] = table.target_word[table.target_start[r] + k]
        score[i, PLAIN] = plain_score(r, table, weights)
        score[i, ESTIMATED] = score[i, PLAIN]
        for m in range(n_lms):
            info[i, LM_STATE + m] = describe_words(r, table, lm, m, first, options)
            score[i, ESTIMATED] += weights.lm[m] * options.rest[first, m]
        if length > 0:
            first_log = options.rest[first, 0] - options.rest[first + 1, 0]
            score[i, ESTIMATED] += weights.first * first_log
        for k in range(len(reordering_weight)):
            # several tables add up: the search sees one score for each orientation
            side = H_BACKWARD if table.hierarchical[k // TURNS] else BACKWARD
            score[i, side + k % TURNS] += reordering_weight[k] * reordering[r, k]
        if forward:
            info[i, KIND] = table.kind[r]
        first += length + 1
    return options, word


@njit(cache=True, nogil=True)
def phrase_nodes(words: Ints, trie: Ids, bits: int, longest: int) -> Ints:
    """Return the trie node of every span of a sentence, (n, longest), by start and length - 1.

    It is 0 for a phrase that the trie lacks.  words (n,): numbers in the source vocabulary, -1 for
    a word that the vocabulary lacks.
    """
    n = len(words)
    node = np.zeros((n, longest), dtype=np.int64)
    for i in range(n):
        state = 0
        for k in range(min(longest, n - i)):
            word = words[i + k]
            if word < 0:
                break
            slot = find_transition(trie, bits, state, word)
            if trie[slot, STATE] < 0:  # no phrase of the table begins so: nor does a longer one
                break
            state = int(trie[slot, TARGET])
            node[i, k] = state
    return node
