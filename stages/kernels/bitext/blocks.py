"""Blocks (phrase pairs) of a word-aligned text, with Moses's four scores and orientation counts.

    p(f | e) = n(f, e) / n(e), lex(f | e), p(e | f) = n(f, e) / n(f), lex(e | f)

Pairs are extracted, counted and scored as arrays; no pair is ever held as an object.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.kernels.bitext import extraction, lexical_weights, phrases
from campanula.stages.kernels.bitext.links import WORD
from campanula.stages.kernels.bitext.phrases import SortedPhrases

TINY = float(np.finfo(np.float32).tiny)  # least score: 0 has no logarithm, floats below lose digits


@dataclass(frozen=True, slots=True)
class TokenText:
    """A text as word numbers below n_words; sentence i is token[start[i]:start[i + 1]].

    `separator` is the number of the word that separates the fields of a phrase table.
    """

    token: Ints
    start: Ints
    n_words: int
    separator: int


@dataclass(frozen=True, slots=True)
class Links:
    """Links of sentence pair n: source[start[n]:start[n + 1]] to target[...], no link twice."""

    source: Ints
    target: Ints
    start: Ints


@dataclass(frozen=True, slots=True)
class Spans:
    """Phrases (P,): `at`, one place of its text where each occurs, and `length` in words."""

    at: Ints
    length: Ints


@dataclass(frozen=True, slots=True)
class DistinctBlocks:
    """The distinct phrase pairs (P,), sorted as the lines of a phrase table.

    `score` (P, 4) as above; `count` (P, 3): n(e), n(f), n(f, e); `links` (P,): bit s of byte t is
    set if source word s and target word t are linked; `orientation` (P, 2, 3): how often monotone,
    swap and other, before and after.  `n_occurrences` counts what was extracted.
    """

    source: Spans
    target: Spans
    score: Floats
    count: Ints
    links: Ints
    orientation: Ids
    n_occurrences: int


def extract_blocks(
    source: TokenText,
    target: TokenText,
    links: Links,
    max_length: int,
    only: TokenText | None = None,
    orientation: int = WORD,
) -> DistinctBlocks:
    """Return the blocks of at most max_length words a side; orientation as in extraction.extract.

    With `only`, a text in the word numbers of `source` (-1: a word that `source` lacks), the result
    has just the blocks whose source phrase occurs in `only`; their scores are those of all blocks.
    """
    occurrences = extraction.extract(
        *(source.start, target.start, links.start, links.source, links.target),
        *(max_length, orientation),
    )
    at, length = occurrences.source_at, occurrences.source_length
    sources, selected = _number(source, at, length, max_length, only)
    at, length = occurrences.target_at, occurrences.target_length
    targets, _ = _number(target, at, length, max_length, None)
    pairs = extraction.count_pairs(
        sources.number[selected],
        targets.number[selected],
        len(targets.at),
        occurrences.links[selected],
        occurrences.orientation[selected],
    )
    spans = _spans(sources, pairs.source), _spans(targets, pairs.target)
    # n(e) and n(f) count all occurrences, not the selected ones: `only` changes no score
    n_target = np.bincount(targets.number, minlength=1)[pairs.target]
    n_source = np.bincount(sources.number, minlength=1)[pairs.source]
    count = np.stack([n_target, n_source, pairs.count], axis=1)
    lex, lex_inverse = _lexical_weights(source, target, links, pairs, *spans)
    # in the order of a line of Moses's phrase table: p(f | e), lex(f | e), p(e | f), lex(e | f)
    score = np.stack([pairs.count / n_target, lex_inverse, pairs.count / n_source, lex], axis=1)
    # Moses's scores are float32: rounded so, the same six digits are printed
    score = np.maximum(score.astype(np.float32), TINY).astype(np.float64)
    return DistinctBlocks(*spans, score, count, pairs.links, pairs.orientation, len(selected))


def _number(
    text: TokenText, at: Ids, length: Bytes, longest: int, only: TokenText | None
) -> tuple[SortedPhrases, Flags]:
    """Number the phrases of all occurrences, and select those whose phrase is in `only`."""
    token, start = text.token, text.start
    if only is not None:
        # one text of both, so that equal phrases have one key
        token = np.concatenate((token, only.token))
        # without the first start of `only`, which is the end of the text
        start = np.concatenate((start, only.start[1:] + len(text.token)))
    keys = phrases.phrase_keys(token, start, text.n_words, longest)
    key = keys.key[length - 1, at]
    selected = np.ones(len(key), bool)
    if only is not None:
        selected = phrases.wanted(keys, len(text.token))[key]
    return phrases.number_phrases(keys, key, token, text.separator), selected


def _spans(numbered: SortedPhrases, number: Ints) -> Spans:
    return Spans(numbered.at[number], numbered.length[number])


def _lexical_weights(
    source: TokenText,
    target: TokenText,
    links: Links,
    pairs: extraction.PhrasePairs,
    sources: Spans,
    targets: Spans,
) -> tuple[Floats, Floats]:
    """Return lex(e | f) and lex(f | e) (P,) of every pair."""
    pair = np.repeat(np.arange(len(links.start) - 1), np.diff(links.start))
    # links count places within a sentence, tokens through the whole text
    source_at, target_at = source.start[pair] + links.source, target.start[pair] + links.target
    f = source.token[source_at]
    # words without a link count as linked to NULL
    f_alone = np.delete(source.token, source_at)
    e = target.token[target_at]
    e_alone = np.delete(target.token, target_at)
    table = lexical_weights.lexical_table(f, e, f_alone, e_alone, source.n_words, target.n_words)
    source_phrases = lexical_weights.PhrasePlaces(source.token, sources.at, sources.length)
    target_phrases = lexical_weights.PhrasePlaces(target.token, targets.at, targets.length)
    lex = lexical_weights.lexical_weights(table, source_phrases, target_phrases, pairs.links)
    table = lexical_weights.lexical_table(e, f, e_alone, f_alone, target.n_words, source.n_words)
    # with the pattern that is chosen from the target's side: ties are broken otherwise there
    inverse = lexical_weights.lexical_weights(
        table, target_phrases, source_phrases, pairs.links_inverse
    )
    return lex, inverse
