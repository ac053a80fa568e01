"""Links of a whole training text, counted with the word numbers of a model made of it.

The counts say how often words are linked, and how the words within each row's phrases are linked.
The lexical weights of the phrase table follow from them (kernels/bitext/lexical_weights.py).  They
are counted once, and then mapped from the cache folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET, WORD
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.model.array_folder import Arrays, kept_arrays, write_arrays
from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.model import Model
from campanula.formats.model.vocabulary import Vocabulary
from campanula.formats.text.corpus import Corpus
from campanula.stages.bitext.parallel_text import ParallelPaths, ParallelText, read_parallel_text
from campanula.stages.decoding.left_out.relative_frequencies import (
    LEX,
    LEX_INVERSE,
    TOLERANCE,
    block_text,
)
from campanula.stages.decoding.left_out.training_text import TrainingText, counts_entry

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext.left_records import TextLinks

LAYOUT = 1  # version of the arrays; entries of another version are not read
SENTENCES = 1 << 14  # sentences whose blocks are extracted at a time
WORDS = ("source_total", "target_total", "source_alone", "target_alone", "alone")
PAIRS = ("pair_start", "pair_target", "pair_count")


def training_links(
    model: Model, text: TrainingText, table: str, longest: int, cache: str | None = None
) -> TextLinks:
    """Return the links of the text from which a model's phrase table was extracted.

    table: name of the phrase table in messages; longest: words of its longest phrase.  Raises
    DataError if its counts or lexical weights are not those of the text.
    """
    sides = (text.source, text.target, text.alignment)
    folder = counts_entry("links", LAYOUT, model, sides, cache)
    arrays: Any = kept_arrays(folder)
    if arrays is None:
        arrays = _counted(model, text, longest)
        # before they are kept: what the cache has was compared with this model once and for all
        _refuse_other_weights(model, text, table, _links(model, arrays))
        write_arrays(arrays, folder)
    return _links(model, arrays)


def _links(model: Model, arrays: Any) -> TextLinks:
    from campanula.stages.kernels.bitext.left_records import Patterns, TextLinks, WordLinks

    words = WordLinks(*(arrays[name] for name in WordLinks._fields))
    patterns = Patterns(*(arrays[f"pattern_{name}"] for name in Patterns._fields))
    parent, word = _phrase_words(model)
    return TextLinks(words, patterns, parent, word, model.target_start, model.target_word)


def _counted(model: Model, text: TrainingText, longest: int) -> Arrays:
    """Read the text and return the arrays of WordLinks and Patterns."""
    paths = ParallelPaths(text.source, text.target, text.alignment)
    pairs = read_parallel_text(paths, lambda lines, _: lines)
    source = _numbered(pairs.source, model.source)
    target = _numbered(pairs.target, model.target)
    words = _word_links(pairs, source, target, len(model.source), len(model.target))
    patterns = _patterns(model, pairs, source, target, longest)
    return words | patterns


def _numbered(corpus: Corpus, vocabulary: Vocabulary) -> Ints:
    """Return the words of a text by their numbers, -1 for a word that the vocabulary lacks."""
    number = [vocabulary.find(word.encode()) for word in corpus.words]
    return np.array(number, np.int64)[corpus.token] if number else corpus.token


def _word_links(
    pairs: ParallelText, source: Ints, target: Ints, n_source: int, n_target: int
) -> Arrays:
    """Return the arrays of WordLinks; all words that the model lacks have the last number."""
    links = pairs.links
    pair = np.repeat(np.arange(len(links)), np.diff(links.start))
    source = np.where(source < 0, n_source, source)
    target = np.where(target < 0, n_target, target)
    f_at = pairs.source.start[pair] + links.source
    e_at = pairs.target.start[pair] + links.target
    f, e = source[f_at], target[e_at]
    f_alone = np.bincount(np.delete(source, f_at), minlength=n_source + 1)
    e_alone = np.bincount(np.delete(target, e_at), minlength=n_target + 1)
    # a link to a word that the model lacks counts in the totals alone: no row has such a pair
    both = (f < n_source) & (e < n_target)
    # a pair of words as one number; a model without target words has no pairs to take apart
    key, count = np.unique(f[both] * max(n_target, 1) + e[both], return_counts=True)
    left, right = np.divmod(key, max(n_target, 1))
    return {
        "source_total": np.bincount(f, minlength=n_source + 1) + f_alone,
        "target_total": np.bincount(e, minlength=n_target + 1) + e_alone,
        "source_alone": f_alone,
        "target_alone": e_alone,
        "alone": np.array([f_alone.sum(), e_alone.sum()]),
        "pair_start": pointer_of(np.bincount(left, minlength=n_source)),
        "pair_target": right,
        "pair_count": count,
    }


def _patterns(
    model: Model, pairs: ParallelText, source: Ints, target: Ints, longest: int
) -> Arrays:
    """Return the arrays of Patterns, for all rows."""
    by_row = _rows_by_key(model)
    chunks = [
        _some_patterns(model, by_row, pairs, (source, target), range(begin, end), longest)
        for begin in range(0, len(pairs.links), SENTENCES)
        for end in [min(begin + SENTENCES, len(pairs.links))]
    ]
    nothing = np.zeros(0, np.int64)  # for a text without sentences
    row, pattern, count = (
        np.concatenate(column) for column in zip(*chunks, (nothing,) * 3, strict=True)
    )
    row, pattern, count = _summed(row, pattern, count)
    start = pointer_of(np.bincount(row, minlength=len(model.score)))
    return {"pattern_start": start, "pattern_pattern": pattern, "pattern_times": count}


def _rows_by_key(model: Model) -> tuple[Ints, Ints]:
    """Return the keys of the rows' target phrases, ascending within each node, and the rows."""
    from campanula.stages.kernels.bitext import phrase_rows

    row = np.arange(len(model.score))
    key = phrase_rows.row_keys(row, model.target_start, model.target_word)
    node = np.repeat(np.arange(len(model.row_start) - 1), np.diff(model.row_start))
    order = np.lexsort((key, node))
    return key[order], order


def _some_patterns(
    model: Model,
    by_row: tuple[Ints, Ints],
    pairs: ParallelText,
    words: tuple[Ints, Ints],
    sentences: range,
    longest: int,
) -> tuple[Ints, Ints, Ints]:
    """Return rows and patterns of the blocks of some sentences, and how often each occurs."""
    from campanula.stages.kernels.bitext import extraction, phrase_rows

    bounds = slice(sentences.start, sentences.stop + 1)
    starts = [side.start[bounds] for side in (pairs.source, pairs.target, pairs.links)]
    f, e = (
        side[start[0] : start[-1]].astype(np.int32)
        for side, start in zip(words, starts[:2], strict=True)
    )
    links = slice(starts[2][0], starts[2][-1])
    # places count from the first of these sentences, as the words and links cut out here do
    f_start, e_start, link_start = (start - start[0] for start in starts)
    blocks = extraction.extract(
        f_start,
        e_start,
        link_start,
        pairs.links.source[links],
        pairs.links.target[links],
        longest,
    )
    bits = table_bits(model.trie)
    node = phrase_rows.text_nodes(f, blocks.source_at, blocks.source_length, model.trie, bits)
    key = phrase_rows.text_keys(e, blocks.target_at, blocks.target_length)
    row = phrase_rows.rows_of(node, key, model.row_start, *by_row)
    in_table = np.flatnonzero(row >= 0)
    return _summed(row[in_table], blocks.links[in_table], np.ones(len(in_table), np.int64))


def _summed(row: Ints, pattern: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of row and pattern, sorted, and the sums of their counts."""
    order = np.lexsort((pattern, row))
    row, pattern, count = row[order], pattern[order], count[order]
    new = np.ones(len(row), np.bool_)
    new[1:] = (np.diff(row) != 0) | (np.diff(pattern) != 0)
    first = np.flatnonzero(new)
    total = np.add.reduceat(count, first) if len(first) else count
    return row[first], pattern[first], total


def _phrase_words(model: Model) -> tuple[Ids, Ids]:
    """Return the parent of each trie node (n_nodes,), and the word that leads from it."""
    edge = model.trie[model.trie[:, STATE] >= 0]  # slots in use: each node but the root has one
    parent, word = np.zeros((2, len(model.row_start) - 1), np.int32)
    parent[edge[:, TARGET]] = edge[:, STATE]
    word[edge[:, TARGET]] = edge[:, WORD]
    return parent, word


def _refuse_other_weights(model: Model, text: TrainingText, table: str, links: TextLinks) -> None:
    """Raise DataError for the first row whose count or lexical weights are not the text's."""
    from campanula.stages.kernels.bitext import left_lexical

    name = text.names()[0]
    start = links.patterns.start
    # reduceat gives a row without patterns the next row's first count, hence the mask
    count = np.add.reduceat(np.append(links.patterns.times, 0), start[:-1])
    count *= np.diff(start) > 0
    wrong = np.flatnonzero(count != model.count[:, 2])
    if len(wrong):
        row = int(wrong[0])
        problem = f"expected n(f, e) = {count[row]} as in the text of {name}"
        problem += f", found {model.count[row, 2]}"
        raise DataError(table, f"row '{block_text(model, row)}'", problem)
    node = np.repeat(np.arange(len(model.row_start) - 1), np.diff(model.row_start))
    logs = left_lexical.row_logs(node, links)
    weights = model.score[:, [LEX_INVERSE, LEX]]
    # "not smaller" and not "larger", so that NaN is wrong, too
    wrong = np.flatnonzero(~(np.abs(logs - weights).max(axis=1) < TOLERANCE))
    if len(wrong):
        row = int(wrong[0])
        lex = " and ".join(f"{value:.6g}" for value in np.exp(logs[row]))
        problem = f"expected lexical weights {lex} as the links of {name} give them"
        problem += f", found {' and '.join(f'{value:.6g}' for value in np.exp(weights[row]))}"
        raise DataError(table, f"row '{block_text(model, row)}'", problem)
