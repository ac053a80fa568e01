"""Estimate how far source words jump, from word-aligned text.

As one goes through the target, the source words that it is linked to jump back and forth
(Al-Onaizan and Papineni 2006).  A jump d is the place of the first source word of what comes next,
less the place after the last source word of what was before; 0 is monotone.  Every source word f
has two distributions, of the jumps that start behind it (outbound) and that lead to it (inbound):

    p(d | f) = (n(f, d) + m p(d)) / (n(f) + m),   p(d) = (n(d) + 1) / sum over d' (n(d') + 1)

with p(d), that of all words, for a word which the text lacks.  Jumps of more than --longest words
count as that.  Neighbouring target words whose links overlap in the source make no jump.

Reads two texts, one sentence a line, and the links `i-j` of each pair; writes a distortion table
for `decode --distortion-table`, gzip if its name ends in .gz.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.files import Output
from campanula.formats.moses.distortion_table import (
    LONGEST,
    SHORTEST,
    SIDES,
    START,
    distortion_line,
)
from campanula.formats.moses.tables_writer import SEPARATOR
from campanula.formats.text.alignments import Alignments
from campanula.formats.text.corpus import Corpus
from campanula.stages import command
from campanula.stages.bitext.parallel_text import (
    add_aligned_text_flags,
    paths_of_flags,
    read_parallel_text,
)

COMMAND = "estimate-distortion"


def estimate_distortion(
    source: Corpus, target: Corpus, links: Alignments, smoothing: float, far: int
) -> Iterator[bytes]:
    """Yield the lines of the table, outbound side first; <s> must be one of the source's words.

    smoothing is m of the formula above; jumps of more than `far` words count as `far`.
    """
    from campanula.stages.kernels.bitext import distortion_counts as kernels

    before, after, jump = kernels.jumps(
        links.source, links.target, links.start, source.start, target.start
    )
    begin = source.words.index(START.decode())
    # a jump from before the sentence starts at <s>; of an empty text no token can be looked up
    word = np.where(before < 0, begin, source.token[before] if len(source.token) else begin)
    for side, words in zip(SIDES, (word, source.token[after]), strict=True):
        *counts, total = kernels.jump_counts(words, jump, len(source.words), far)
        yield from lines_of(side, source.words, smoothing, kernels.all_words(total), *counts)


def lines_of(
    side: bytes,
    words: list[str],
    smoothing: float,
    p_all: Floats,
    pointer: Ints,
    jump: Ints,
    count: Ints,
) -> Iterator[bytes]:
    """Yield the lines of a side: that of all words, then one of every word that has a jump.

    p_all (2 far + 1,) is p(d) of all words, for d = -far, ..., far.  The jumps of word k are
    jump[pointer[k]:pointer[k + 1]], each seen `count` times.
    """
    far = len(p_all) // 2
    # no jump of -1: it would lead back to the word that was just translated
    others = [d for d in range(-far, far + 1) if d != -1]
    yield distortion_line(side, b"", 0.0, {d: float(p_all[far + d]) for d in others})
    for number in np.flatnonzero(np.diff(pointer)).tolist():
        own = slice(pointer[number], pointer[number + 1])
        total = float(count[own].sum()) + smoothing
        p = (count[own] + smoothing * p_all[far + jump[own]]) / total
        listed = dict(zip(jump[own].tolist(), p.tolist(), strict=True))
        yield distortion_line(side, words[number].encode(), smoothing / total, listed)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    example = f"{COMMAND} train.de train.en train.align -o distortion-table.gz"
    p = command.parser(COMMAND, __doc__, example)
    add_aligned_text_flags(p)
    p.add_argument(
        "--smoothing",
        type=command.non_negative_float,
        default=50.0,
        metavar="M",
        help="m, the jumps of all words that stand beside a word's own (default: 50)",
    )
    p.add_argument(
        "--longest",
        type=command.integer,
        default=20,
        metavar="WORDS",
        help=f"longest jump that is told from longer ones, {SHORTEST} to {LONGEST} (default: 20)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the texts and the links, count, write the table."""
    files = paths_of_flags(args)
    command.one_stdin(*files)
    if not SHORTEST <= args.longest <= LONGEST:
        raise command.UsageError(f"--longest is {SHORTEST} to {LONGEST}")
    text = read_parallel_text(files, command.watch(args), [START.decode(), SEPARATOR])
    n_lines = 0
    with Output(args.output) as out:
        for line in estimate_distortion(*text, args.smoothing, args.longest):
            out.write(line)
            n_lines += 1
    command.say(args, f"{COMMAND}: {n_lines} lines from {len(text.source)} sentence pairs")


if __name__ == "__main__":
    raise SystemExit(main())
