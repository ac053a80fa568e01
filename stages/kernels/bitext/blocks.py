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

TINY = np.finfo(np.float32).tiny  # below it a float loses digits, and 0 has no logarithm


@dataclass(frozen=True, slots=True)
class TokenText:
    """Sentence i is token[start[i]:start[i + 1]]; one of the n_words words is the separator."""

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
    """Phrases (P,) by a place where each stands in its text, and their lengths."""

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
    """Blocks of at most max_length words a side; orientation as in extraction.extract.

    With `only`, a text numbered by the words of `source` (-1: no such word), just the blocks whose
    source phrase is in it; the scores are those of the whole.
    """
    found = extraction.extract(
        *(source.start, target.start, links.start, links.source, links.target),
        *(max_length, orientation),
    )
    at, length = found.source_at, found.source_length
    sources, kept = _number(source, at, length, max_length, only)
    targets, _ = _number(target, found.target_at, found.target_length, max_length, None)
    pairs = extraction.count_pairs(
        sources.number[kept],
        targets.number[kept],
        len(targets.at),
        found.links[kept],
        found.orientation[kept],
    )
    spans = _spans(sources, pairs.source), _spans(targets, pairs.target)
    n_target = np.bincount(targets.number, minlength=1)[pairs.target]
    n_source = np.bincount(sources.number, minlength=1)[pairs.source]
    count = np.stack([n_target, n_source, pairs.count], axis=1)
    lex, lex_inverse = _lexical_weights(source, target, links, pairs, *spans)
    score = np.stack([pairs.count / n_target, lex_inverse, pairs.count / n_source, lex], axis=1)
    # Moses's scores are floats: rounded so, the same six digits are printed
    score = np.maximum(score.astype(np.float32), TINY).astype(np.float64)
    return DistinctBlocks(*spans, score, count, pairs.links, pairs.orientation, len(kept))


def _number(
    text: TokenText, at: Ids, length: Bytes, longest: int, only: TokenText | None
) -> tuple[SortedPhrases, Flags]:
    """Numbers of the phrases of all occurrences, and which of them to keep."""
    token, start = text.token, text.start
    if only is not None:
        token = np.concatenate((token, only.token))
        start = np.concatenate((start, only.start[1:] + len(text.token)))
    keys = phrases.phrase_keys(token, start, text.n_words, longest)
    key = keys.key[length - 1, at]
    kept = np.ones(len(key), bool)
    if only is not None:
        kept = phrases.wanted(keys, len(text.token))[key]
    return phrases.number_phrases(keys, key, token, text.separator), kept


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
    """lex(e | f) and lex(f | e) of every pair."""
    pair = np.repeat(np.arange(len(links.start) - 1), np.diff(links.start))
    source_at, target_at = source.start[pair] + links.source, target.start[pair] + links.target
    f, f_alone = source.token[source_at], np.delete(source.token, source_at)
    e, e_alone = target.token[target_at], np.delete(target.token, target_at)
    table = lexical_weights.lexical_table(f, e, f_alone, e_alone, source.n_words, target.n_words)
    given = lexical_weights.PhrasePlaces(source.token, sources.at, sources.length)
    told = lexical_weights.PhrasePlaces(target.token, targets.at, targets.length)
    lex = lexical_weights.lexical_weights(table, given, told, pairs.links)
    table = lexical_weights.lexical_table(e, f, e_alone, f_alone, target.n_words, source.n_words)
    lex_inverse = lexical_weights.lexical_weights(table, told, given, pairs.links_inverse)
    return lex, lex_inverse
