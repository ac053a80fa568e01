"""List lexical features of parallel text: what is frequent, and what triggers what.

    pair_Haus~~house       the word pairs that are linked most often
    uni_, bigram_, trigram_        the most frequent n-grams of the target
    trigger_not~~but       pairs of target words, the second after the first in a sentence, of
                           highest mutual information (Rosenfeld 1996)

as many of each as Gimpel and Smith take (2012, section 4.3).  Only triggers that make their word
more likely are listed.  Reads two texts, one sentence a line, and the links `i-j` of each pair;
writes the names for --feature-list of `decode` and `rescore`, the best of each kind first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.files import Output
from campanula.formats.text.alignments import Alignments
from campanula.formats.text.corpus import Corpus
from campanula.stages import command
from campanula.stages.bitext.parallel_text import (
    add_aligned_text_flags,
    paths_of_flags,
    read_parallel_text,
)

COMMAND = "extract-features"
NGRAMS = ("uni", "bigram", "trigram")
LABELS = {"pairs": "word pairs", "triggers": "trigger pairs"}


@dataclass(frozen=True)
class ListSizes:
    """How many features of each kind to list.

    min_count: how often the words of a trigger pair occur at least.
    """

    pairs: int = 1000
    unigrams: int = 200
    bigrams: int = 1000
    trigrams: int = 1000
    triggers: int = 4000
    min_count: int = 3


DEFAULT = ListSizes()


def extract_features(
    source: Corpus, target: Corpus, links: Alignments, sizes: ListSizes = DEFAULT
) -> Iterator[LexicalFeature]:
    """Yield the features of each kind, the best first."""
    from campanula.stages.kernels.bitext.lexical_counts import most, ngram_counts, pair_counts

    pairs, count = pair_counts(*linked_words(source, target, links))
    for k in most(count, sizes.pairs).tolist():
        f, e = pairs[k].tolist()
        yield LexicalFeature("pair", (source.words[f], target.words[e]))
    numbers = (sizes.unigrams, sizes.bigrams, sizes.trigrams)
    for n, (template, number) in enumerate(zip(NGRAMS, numbers, strict=True), 1):
        grams, count = ngram_counts(target.token, target.start, n)
        yield from _features(template, grams[most(count, number)], target)
    yield from _features("trigger", trigger_pairs(target, sizes), target)


def trigger_pairs(corpus: Corpus, sizes: ListSizes) -> Ints:
    """Return pairs of words (n, 2), trigger and triggered, by falling mutual information."""
    from campanula.stages.kernels.bitext.lexical_counts import (
        most,
        mutual_information,
        trigger_counts,
    )

    pairs, both, before, after = trigger_counts(corpus.token, corpus.start, sizes.min_count)
    total = len(corpus.token)
    # p(both) > p(before) p(after): the trigger makes its word more likely; max(..., 1): no words
    positive = both / max(total, 1) > (before / max(total, 1)) * (after / max(total, 1))
    information = mutual_information(both, before, after, total)[positive]
    return pairs[positive][most(information, sizes.triggers)]


def _features(template: str, words: Ints, corpus: Corpus) -> Iterator[LexicalFeature]:
    for row in words.tolist():
        yield LexicalFeature(template, tuple(corpus.words[number] for number in row))


def linked_words(source: Corpus, target: Corpus, links: Alignments) -> tuple[Ints, Ints]:
    """Return the numbers of the source and the target word of every link, (n_links,) each."""
    sizes = np.diff(links.start)
    f = source.token[np.repeat(source.start[:-1], sizes) + links.source]
    return f, target.token[np.repeat(target.start[:-1], sizes) + links.target]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "extract-features train.de train.en train.align -o lexical"
    p = command.parser(COMMAND, __doc__, example)
    add_aligned_text_flags(p)
    kinds = {kind: size for kind, size in vars(DEFAULT).items() if kind != "min_count"}
    for kind, size in kinds.items():
        p.add_argument(
            f"--{kind}",
            type=command.non_negative_int,
            default=size,
            metavar="N",
            help=f"number of {LABELS.get(kind, kind)} (default: {size})",
        )
    p.add_argument(
        "--min-count",
        type=command.positive_int,
        default=DEFAULT.min_count,
        metavar="N",
        help=f"words of a trigger pair occur at least so often (default: {DEFAULT.min_count})",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the texts and the links, count, write the names."""
    files = paths_of_flags(args)
    command.one_stdin(*files)
    text = read_parallel_text(files, command.watch(args))
    sizes = ListSizes(**{name: getattr(args, name) for name in vars(DEFAULT)})
    features = list(extract_features(*text, sizes))
    with Output(args.output) as out:
        out.write_line(f"# {command.signature(COMMAND, **vars(sizes))}")
        for feature in features:
            out.write_line(feature.name)
    command.say(args, f"{COMMAND}: {len(features)} features of {len(text.source)} sentence pairs")


if __name__ == "__main__":
    raise SystemExit(main())
