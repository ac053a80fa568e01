"""Read n-best lists of another tool and write them as a k-best stream.

Sentence ids decide which hypotheses belong together: lists may be unsorted, and ids may be
missing.  A label with several values gives numbered features (`TM0_0`, `TM0_1`), one with a single
value keeps its name; where the score is the only number, it is the feature F0 (but JSON lines as
export-nbest writes them are read as they are).  Files may be compressed; several are read one after
another.  Numbers that are the better the lower they are become scores by --negate.  --text-field
and --remove-subwords change the text; what was there is kept as the field `text` or `subwords`.
Memory holds all lists, but of files of more than 32 MB with lines between bars only a few of them,
where sentences ascend, all lines have the same labels, and -o names a file.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, is_replaceable
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.refusing import refuse
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import Block, read_ahead, read_blocks
from campanula.formats.nbest.costs import negate
from campanula.formats.nbest.detecting import detect
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.command_line.text_flags import TextForm, add_text_flags
from campanula.stages.nbest import nbest_flags
from campanula.stages.nbest.cutting import are_large, bytes_without_kernels, cut_ahead
from campanula.stages.nbest.forked_packing import ImportWarnings, can_be_forked, write_lists
from campanula.stages.nbest.ordered_files import OutOfOrder, bar_reader, write_in_order

AUTO = "auto"


def import_nbest(
    paths: Sequence[str], name: str, options: Mapping[str, Any] | None = None, jobs: int = 1
) -> Iterator[KBest]:
    """Return the lists of files in the format `name`; AUTO: the one that the first lines show.

    options: settings of the formats that take some.  jobs: number of threads.  Raises DataError for
    the files, UsageError for settings that the format does not take or lacks.
    """
    options = options or {}
    source = display_name(paths[0])
    blocks = blocks_of(paths)
    # the first block decides the format, and is then passed on before all others
    first = list(itertools.islice(blocks, 1))
    if name == AUTO:
        name = format_of(first, source, options)
    nbest_flags.check(name, options)
    form = FORMATS[name]
    if options:
        form = form.with_options(options)
    return form.read(
        cut_ahead(itertools.chain(first, blocks), jobs, bytes_without_kernels(paths)), source
    )


def blocks_of(paths: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of all files; raises DataError for an empty file among several."""
    for path in paths:
        count = 0
        for block in read_ahead(path):
            yield block
            count += 1
        if not count and len(paths) > 1:
            raise DataError(display_name(path), None, "expected hypotheses, found none")


def format_of(first: list[Block], source: str, options: Mapping[str, Any]) -> str:
    """Return the format that the first block shows, or that settings imply; raises DataError.

    A JSON file may be one long line, of which the first block is only the beginning.
    """
    lines = [line for block in first for line in block.data.decode("utf-8").split("\n") if line]
    name = nbest_flags.implied(detect(lines), options)
    if name is None:
        if first:
            refuse(first[0].data[:HEAD], source, "n-best lists", ())
        line = f"{lines[0][:60]!r}" if lines else "nothing"
        problem = f"expected a list in one of the formats {', '.join(FORMATS)}; found {line}"
        raise DataError(source, None, problem)
    return name


def parser() -> argparse.ArgumentParser:
    """Return the parser of the flags."""
    p = command.parser("import-nbest", __doc__, "import-nbest run1.best100.gz -o run1.kbest")
    p.add_argument("input", nargs="*", default=["-"], help="n-best lists (default: stdin)")
    p.add_argument(
        "--format",
        type=command.Choice(FORMATS, AUTO),
        metavar=command.braces([AUTO, *FORMATS]),
        default=AUTO,
        help="format of the lists (default: auto, told from the first lines)",
    )
    p.add_argument(
        "--negate",
        action="append",
        default=[],
        metavar="PATTERN",
        help="features, or `score`, that are costs: minus the number is taken; repeatable",
    )
    command.add_jobs_flag(p, "processes, or threads")
    add_text_flags(p)
    nbest_flags.add_format_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def _refuse_repeated(paths: Sequence[str]) -> None:
    """Raise UsageError for a file that is named twice."""
    again = next((path for path in paths if paths.count(path) > 1), None)
    if again is not None:
        raise UsageError(f"{again} is named twice")


def body(args: argparse.Namespace) -> None:
    """Read the n-best lists and write them as a k-best stream."""
    options = nbest_flags.settings(args)
    files = [path for setting in ("costs", "scores") for path in options.get(setting, {}).values()]
    command.one_stdin(*args.input, *files)
    _refuse_repeated(args.input)
    form = TextForm.of_flags(args)
    negated = {"negate": ",".join(args.negate)} if args.negate else {}
    # the format is not part of the signature: the same list gives the same bytes in any format
    signature = command.signature("import-nbest", **negated, **form.signature())
    done = _part_by_part(args, form, signature) or _as_a_whole(args, options, form, signature)
    for warning in done.warnings.lines():
        command.say(args, f"import-nbest: warning: {warning}")
    hypotheses = done.warnings.presence.hypotheses
    command.say(args, f"import-nbest: {hypotheses} hypotheses of {done.sentences} sentences")


class Done(NamedTuple):
    """What has been written: counts for the warnings, and the number of sentences."""

    warnings: ImportWarnings
    sentences: int


def _part_by_part(args: argparse.Namespace, form: TextForm, signature: str) -> Done | None:
    """Write the lists of large files in order; None if they, or the flags, need all lists at once.

    An output that cannot be replaced is left to the other way: it would have the first lists when
    a later one shows that the files are not in order.
    """
    options = nbest_flags.settings(args)
    if args.negate or options or not is_replaceable(args.output) or not are_large(args.input):
        return None
    source = display_name(args.input[0])
    name = args.format
    if name == AUTO:
        first = list(itertools.islice(read_blocks(args.input[0]), 1))
        name = format_of(first, source, options)
    warnings = ImportWarnings.none()
    prepare = partial(form.keeping, source=source)
    try:
        with Writer(args.output, KBest, signature) as out:
            reader = bar_reader(FORMATS[name])
            write_in_order(args.input, reader, prepare, warnings, out, args.jobs)
    except OutOfOrder:
        return None
    return Done(warnings, out.count)


def _as_a_whole(
    args: argparse.Namespace, options: Mapping[str, Any], form: TextForm, signature: str
) -> Done:
    """Read all files, and write their lists; raises DataError."""
    source = display_name(args.input[0])
    lists: Iterable[KBest] = import_nbest(args.input, args.format, options, args.jobs)
    warnings = ImportWarnings.none()
    with Writer(args.output, KBest, signature) as out:
        # --negate must see all lists before it can say that a pattern matched nothing; a fork sees
        # some
        if not args.negate and can_be_forked(lists, args.jobs):
            write_lists(lists, partial(form.keeping, source=source), warnings, out, args.jobs)
        else:
            lists = negate(lists, args.negate, source) if args.negate else lists
            for kbest in form.keeping_all(lists, source):
                warnings.look(kbest)
                out.write(kbest)
    return Done(warnings, out.count)


if __name__ == "__main__":
    raise SystemExit(main())
