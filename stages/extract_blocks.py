"""Extract blocks (phrase pairs) from word-aligned text, with their scores.

All pairs of up to seven words a side that are consistent with the alignment (Och and Ney 2004),
unaligned words at the borders included, as Moses extracts them.  Scores:

    p(f | e) = n(f, e) / n(e), lex(f | e), p(e | f) = n(f, e) / n(f), lex(e | f)

by relative frequency, undiscounted, with lexical weights (Koehn et al. 2003); and for the
reordering table the smoothed shares of monotone, swap and other, before and after
(msd-bidirectional-fe; Koehn et al. 2005).  `--orientation` says what these are told by: the links
at a block's corners (word), the blocks that are extracted there (phrase), or blocks of any length
(hierarchical; Galley and Manning 2008).

Reads two texts, one sentence a line, and the links `i-j` of each pair; writes a phrase table and a
reordering table in Moses's text format, sorted by bytes, gzip if a name ends in .gz.  Both files
appear, or neither.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from campanula.formats.files import Output
from campanula.formats.model.files import ORIENTATIONS, WORD
from campanula.formats.moses.tables_writer import SEPARATOR, phrase_lines, reordering_lines
from campanula.formats.text.corpus import Corpus, read_with_words
from campanula.formats.text.parts import TextLines
from campanula.stages import command
from campanula.stages.bitext.parallel_text import (
    add_aligned_text_flags,
    paths_of_flags,
    read_parallel_text,
)

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
    add_aligned_text_flags(p)
    p.add_argument("--phrase-table", metavar="OUT", help="phrase table to write; the same as -o")
    p.add_argument("--reordering-table", metavar="OUT", help="reordering table to write, if wanted")
    p.add_argument(
        "--orientation",
        choices=ORIENTATIONS,
        help=f"what the reordering table's orientations are told by (default: {WORD}); a table of"
        " another type is for decode --reordering-table FILE,TYPE",
    )
    p.add_argument(
        "--max-length",
        type=command.integer,
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

    if args.orientation is not None and args.reordering_table is None:
        raise command.UsageError("--orientation needs --reordering-table OUT")
    command.one_stdin(args.source, args.target, args.alignment, *args.filter)
    paths = table_paths(args.output, args.phrase_table, args.reordering_table)
    watch = command.watch(args)
    files = paths_of_flags(args)
    source, target, links = read_parallel_text(files, watch, [SEPARATOR], [SEPARATOR])
    only = _read_filter(args.filter, source) if args.filter else None
    with ExitStack() as stack:
        outputs = [stack.enter_context(Output(path)) for path in paths]
        extracted = blocks.extract_blocks(
            _text(source),
            _text(target),
            blocks.Links(links.source, links.target, links.start),
            args.max_length,
            only,
            ORIENTATIONS.index(args.orientation or WORD),
        )
        tables = table_lines(extracted, source, target, len(outputs) > 1)
        for of_tables in command.progress(tables, args, "writing"):
            for output, lines in zip(outputs, of_tables, strict=True):
                output.write(lines)
        for output in outputs:
            # all bytes of both are written before either is renamed into place
            output.finish()
    command.say(
        args,
        f"extract-blocks: {len(source)} sentence pairs, {extracted.n_occurrences} phrase pairs "
        f"found, {len(extracted.links)} blocks written",
    )


def table_paths(output: str | None, phrases: str | None, reordering: str | None) -> list[str]:
    """Return the path of the phrase table, and of the reordering table if one is wanted.

    Raises UsageError for -o beside --phrase-table, and for two outputs that are one file.
    """
    if phrases is not None and output is not None:
        raise command.UsageError("-o and --phrase-table are the same; give one")
    paths = [phrases or output or "-"]
    if reordering is not None:
        paths.append(reordering)
    command.outputs_apart(*paths)
    return paths


def _read_filter(paths: Sequence[str], source: Corpus) -> blocks.TokenText:
    """Return the texts to filter by as one text, with the words' numbers in the source text."""
    lines = (line for path in paths for line in TextLines(path))
    return _text(read_with_words(lines, source.words))


def _text(corpus: Corpus) -> blocks.TokenText:
    from campanula.stages.kernels.bitext import blocks

    separator = corpus.words.index(SEPARATOR)
    return blocks.TokenText(corpus.token, corpus.start, len(corpus.words), separator)


def table_lines(
    extracted: blocks.DistinctBlocks, source: Corpus, target: Corpus, reordering: bool
) -> Iterator[list[bytes]]:
    """Yield some lines of the phrase table and, with `reordering`, of the reordering table."""
    f_text = [source.words[i] for i in source.token.tolist()]
    e_text = [target.words[i] for i in target.token.tolist()]
    for begin in range(0, len(extracted.links), LINES):
        rows = slice(begin, begin + LINES)
        f = _phrases(f_text, extracted.source, rows)
        e = _phrases(e_text, extracted.target, rows)
        columns = extracted.score[rows], extracted.links[rows], extracted.count[rows]
        lines = [phrase_lines(f, e, *columns)]
        if reordering:
            lines.append(reordering_lines(f, e, extracted.orientation[rows], SMOOTHING))
        yield lines


def _phrases(text: list[str], spans: blocks.Spans, rows: slice) -> list[str]:
    begin = spans.at[rows]
    ends = begin + spans.length[rows]
    return [" ".join(text[a:b]) for a, b in zip(begin.tolist(), ends.tolist(), strict=True)]


if __name__ == "__main__":
    raise SystemExit(main())
