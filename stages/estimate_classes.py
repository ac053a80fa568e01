"""Estimate classes of words from text, for a language model over classes.

The classes are those under which a bigram model over them makes the text likely:

    log p(text) = sum log p(w | g(w)) p(g(w) | g(v))        over words w, each after a word v

(Kneser and Ney 1993; Martin, Liermann and Ney 1998).  Exchange algorithm: word after word, the most
frequent first, moves to the class where the likelihood is highest, again and again until none
moves.  At the start the most frequent words have classes of their own, and all others the last one.

Reads sentences, one a line, words apart by blanks, and writes `word<TAB>class` a line, as mkcls
does; classes are numbered from 1, words are in the order of their bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.files import Output, display_name
from campanula.formats.text.corpus import Corpus, read_corpus, refuse_reserved
from campanula.formats.text.parts import TextLines
from campanula.formats.text.word_classes import word_class_lines
from campanula.stages import command

RESERVED = ("<unk>", "<s>", "</s>")
EXAMPLE = "estimate-classes train.en --classes 100 -o train.en.classes"


class Exchanged(NamedTuple):
    """The state after an iteration.

    class_of (n_words,): the words' classes, from 0.  moved: number of words that changed class.
    """

    class_of: Ints
    moved: int
    log_likelihood: float


def estimate_classes(
    corpus: Corpus, n_classes: int, seed: int | None = None
) -> Iterator[Exchanged]:
    """Yield the classes at the start and after each iteration, until no word moves.

    At the start each of the n_classes - 1 most frequent words has a class of its own; with a seed
    classes are random, of as many words each.
    """
    from campanula.stages.kernels.lm import exchange
    from campanula.stages.kernels.lm.word_bigrams import bigrams_of, classes_of

    n_words = len(corpus.words)
    bigrams = bigrams_of(corpus.token, corpus.start, n_words)
    order = np.argsort(-bigrams.total[:n_words], kind="stable")  # the most frequent words first
    start = np.empty(n_words, np.int64)
    start[order] = np.minimum(np.arange(n_words), n_classes - 1)
    if seed is not None:
        start = np.random.default_rng(seed).permutation(np.arange(n_words) % n_classes)
    classes = classes_of(start, n_classes, bigrams)
    moved = n_words
    yield Exchanged(start, moved, exchange.log_likelihood(bigrams, classes))
    while moved:
        moved = exchange.exchange(order, bigrams, classes)
        likelihood = exchange.log_likelihood(bigrams, classes)
        yield Exchanged(classes.class_of[:-1].copy(), moved, likelihood)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("estimate-classes", __doc__, EXAMPLE)
    p.add_argument("text", metavar="TEXT", help="tokenised sentences, one a line (- for stdin)")
    p.add_argument(
        "--classes", type=command.positive_int, default=100, help="how many (default: 100)"
    )
    p.add_argument(
        "--iterations",
        type=command.positive_int,
        default=20,
        help="at most so many times each word may move (default: 20)",
    )
    p.add_argument(
        "--seed",
        type=command.non_negative_int,
        help="start from random classes of as many words each (default: by frequency)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the text, estimate the classes, write them."""
    name = display_name(args.text)
    lines = command.progress(TextLines(args.text), args, "reading")
    corpus = read_corpus(lines, name)
    for word in RESERVED:
        if word in corpus.words:
            refuse_reserved(corpus, corpus.words.index(word), name)
    if len(corpus.words) < args.classes:
        expected = f"expected at least {args.classes} different words for as many classes"
        raise DataError(name, None, f"{expected}, found {len(corpus.words)}")
    with Output(args.output) as out:
        steps = estimate_classes(corpus, args.classes, args.seed)
        history = list(islice(steps, args.iterations + 1))
        numbers = zip(corpus.words, (history[-1].class_of + 1).tolist(), strict=True)
        for line in word_class_lines(numbers):
            out.write(line.encode())
    command.say(args, summary(corpus, history))


def summary(corpus: Corpus, history: Sequence[Exchanged]) -> str:
    """Return the summary line: perplexities of the class bigram model on the text, with ends."""
    n = len(corpus.token) + len(corpus)
    first = history[0]
    last = history[-1]
    before, after = (float(np.exp(-step.log_likelihood / n)) for step in (first, last))
    message = f"estimate-classes: {len(corpus.words)} words, perplexity {before:.2f} -> {after:.2f}"
    message += f" in {len(history) - 1} iterations"
    if last.moved:
        message += f"; the last one still moved {last.moved} words: more --iterations may be better"
    return message


if __name__ == "__main__":
    raise SystemExit(main())
