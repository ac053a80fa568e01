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

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.files import Output
from campanula.formats.text.alignments import Alignments
from campanula.formats.text.corpus import Corpus
from campanula.stages import command
from campanula.stages.parallel_text import (
    add_aligned_text_flags,
    paths_of_flags,
    read_parallel_text,
)

COMMAND = "extract-features"
SIZES = {"pairs": 1000, "unigrams": 200, "bigrams": 1000, "trigrams": 1000, "triggers": 4000}
LABELS = {"pairs": "word pairs", "triggers": "trigger pairs"}


def extract_features(
    source: Corpus, target: Corpus, links: Alignments, sizes: dict[str, int], min_count: int
) -> Iterator[LexicalFeature]:
    """Yield the features of each kind, as many as `sizes` says."""
    from campanula.stages.kernels.bitext import lexical_counts as kernels

    token, start = target.token, target.start
    left, right = linked_words(source, target, links)
    pairs, count = kernels.pair_counts(left, right)
    for k in kernels.most(count, sizes["pairs"]).tolist():
        f, e = pairs[k].tolist()
        yield LexicalFeature("pair", (source.words[f], target.words[e]))
    for n, (template, size) in enumerate(
        (("uni", "unigrams"), ("bigram", "bigrams"), ("trigram", "trigrams")), 1
    ):
        grams, count = kernels.ngram_counts(token, start, n)
        yield from _features(template, grams[kernels.most(count, sizes[size])], target)
    pairs, both, before, after = kernels.trigger_counts(token, start, min_count)
    total = len(token)
    positive = both / max(total, 1) > (before / max(total, 1)) * (after / max(total, 1))
    information = kernels.mutual_information(both, before, after, total)[positive]
    best = kernels.most(information, sizes["triggers"])
    yield from _features("trigger", pairs[positive][best], target)


def _features(template: str, words: Ints, corpus: Corpus) -> Iterator[LexicalFeature]:
    for row in words.tolist():
        yield LexicalFeature(template, tuple(corpus.words[number] for number in row))


def linked_words(source: Corpus, target: Corpus, links: Alignments) -> tuple[Ints, Ints]:
    """Source and target word of every link (n_links,)."""
    sizes = np.diff(links.start)
    f = source.token[np.repeat(source.start[:-1], sizes) + links.source]
    return f, target.token[np.repeat(target.start[:-1], sizes) + links.target]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = "extract-features train.de train.en train.align -o lexical"
    p = command.parser(COMMAND, __doc__, example)
    add_aligned_text_flags(p)
    for kind, size in SIZES.items():
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
        default=3,
        metavar="N",
        help="words of a trigger pair occur at least so often (default: 3)",
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
    sizes = {kind: getattr(args, kind) for kind in SIZES}
    how = command.signature(COMMAND, **sizes, min_count=args.min_count)
    found = list(extract_features(*text, sizes, args.min_count))
    with Output(args.output) as out:
        out.write_line(f"# {how}")
        for feature in found:
            out.write_line(feature.name)
    command.say(args, f"{COMMAND}: {len(found)} features of {len(text.source)} sentence pairs")


if __name__ == "__main__":
    raise SystemExit(main())
