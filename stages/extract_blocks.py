"""Extract blocks (phrase pairs) from word-aligned text, with their scores.

All pairs of up to seven words a side that are consistent with the alignment (Och and Ney 2004),
unaligned words at the borders included, as Moses extracts them.  Scores:

    p(f | e) = n(f, e) / n(e), lex(f | e), p(e | f) = n(f, e) / n(f), lex(e | f)

by relative frequency, undiscounted, with lexical weights (Koehn et al. 2003); and for the
reordering table the smoothed shares of monotone, swap and other, before and after
(msd-bidirectional-fe, word-based; Koehn et al. 2005).

Reads two texts, one sentence a line, and the links `i-j` of each pair; writes a phrase table and a
reordering table in Moses's text format, sorted by bytes, gzip if a name ends in .gz.  Both files
appear, or neither.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from campanula.formats.files import display_name, read_lines
from campanula.formats.moses.tables_writer import SEPARATOR, phrase_lines, reordering_lines
from campanula.formats.text.alignments import read_alignments
from campanula.formats.text.corpus import Corpus, read_corpus, read_with_words, refuse
from campanula.formats.text.output import TextOutput
from campanula.stages import aligned_text, command

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext import blocks

LONGEST = 7  # what the kernel can hold, and Moses's default
SMOOTHING = 0.5  # added to every orientation count, Moses's default
LINES = 1 << 14  # formatted at a time
EXAMPLE = (
    "extract-blocks train.de train.en train.align \\\n"
    "      --phrase-table phrase-table.gz --reordering-table reordering-table.gz"
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("extract-blocks", __doc__, EXAMPLE)
    p.add_argument("source", metavar="SOURCE", help="source sentences, one a line")
    p.add_argument("target", metavar="TARGET", help="their translations")
    p.add_argument("alignment", metavar="ALIGNMENT", help="links i-j of each pair, from 0")
    p.add_argument("--phrase-table", metavar="OUT", help="phrase table to write; the same as -o")
    p.add_argument("--reordering-table", metavar="OUT", help="reordering table to write, if wanted")
    p.add_argument(
        "--max-length",
        type=int,
        choices=range(1, LONGEST + 1),
        default=LONGEST,
        help=f"longest phrase in words, at most {LONGEST} (default: {LONGEST})",
    )
    p.add_argument(
        "--filter",
        metavar="FILE",
        action="append",
        default=[],
        help="keep only blocks whose source phrase is in this text (repeatable)",
    )
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Read the texts and the links, extract, write both tables."""
    from campanula.stages.kernels.bitext import blocks

    paths = _outputs(args)
    source, target = _read_text(args, args.source), _read_text(args, args.target)
    links = command.progress(read_lines(args.alignment), args, "reading links")
    alignments = read_alignments(links, display_name(args.alignment))
    aligned_text.refuse_unfit(
        (args.source, args.target, args.alignment), source, target, alignments
    )
    only = _read_filter(args, source)
    with ExitStack() as stack:
        outputs = [stack.enter_context(TextOutput(path)) for path in paths]
        found = blocks.extract_blocks(
            _text(source),
            _text(target),
            blocks.Links(alignments.source, alignments.target, alignments.start),
            args.max_length,
            only,
        )
        for number, lines in _lines(found, source, target, args):
            outputs[number].write(lines)
        for output in outputs:
            output.finish()
    command.say(
        args,
        f"extract-blocks: {len(source)} sentence pairs, {found.n_occurrences} phrase pairs found, "
        f"{len(found.links)} blocks written",
    )


def _outputs(args: argparse.Namespace) -> list[str]:
    """Path of the phrase table, and of the reordering table if one is wanted."""
    command.one_stdin(args.source, args.target, args.alignment, *args.filter)
    if args.phrase_table is not None and args.output is not None:
        raise command.UsageError("-o and --phrase-table are the same; give one")
    paths = [args.phrase_table or args.output or "-"]
    if args.reordering_table is not None:
        paths.append(args.reordering_table)
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise command.UsageError("the two tables cannot be the same file")
    return paths


def _read_text(args: argparse.Namespace, path: str) -> Corpus:
    name = display_name(path)
    corpus = read_corpus(command.progress(read_lines(path), args, "reading"), name, [SEPARATOR])
    for number, word in enumerate(corpus.words):
        if SEPARATOR in word and word != SEPARATOR:  # would be read as the end of a field
            refuse(corpus, number, name)
    return corpus


def _read_filter(args: argparse.Namespace, source: Corpus) -> blocks.Text | None:
    """The texts to filter by as one, in the numbers of the source text."""
    if not args.filter:
        return None
    return _text(
        read_with_words((line for path in args.filter for line in read_lines(path)), source.words)
    )


def _text(corpus: Corpus) -> blocks.Text:
    from campanula.stages.kernels.bitext import blocks

    separator = corpus.words.index(SEPARATOR)
    return blocks.Text(corpus.token, corpus.start, len(corpus.words), separator)


def _lines(
    found: blocks.Blocks, source: Corpus, target: Corpus, args: argparse.Namespace
) -> Iterator[tuple[int, bytes]]:
    """Yield lines of the phrase table, as 0, and of the reordering table, as 1 if wanted."""
    f_text = [source.words[i] for i in source.token.tolist()]
    e_text = [target.words[i] for i in target.token.tolist()]
    parts = [slice(begin, begin + LINES) for begin in range(0, len(found.links), LINES)]
    for part in command.progress(parts, args, "writing"):
        f, e = _phrases(f_text, found.source, part), _phrases(e_text, found.target, part)
        yield 0, phrase_lines(f, e, found.score[part], found.links[part], found.count[part])
        if args.reordering_table is not None:
            yield 1, reordering_lines(f, e, found.orientation[part], SMOOTHING)


def _phrases(text: list[str], spans: blocks.Spans, part: slice) -> list[str]:
    begin = spans.at[part]
    ends = begin + spans.length[part]
    return [" ".join(text[a:b]) for a, b in zip(begin.tolist(), ends.tolist(), strict=True)]


if __name__ == "__main__":
    raise SystemExit(main())
