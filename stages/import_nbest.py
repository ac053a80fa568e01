"""Read n-best lists of another tool and write them as a k-best stream.

Sentence ids decide which hypotheses belong together: lists may be unsorted, and ids may be
missing.  A label with several values gives numbered features (`TM0_0`, `TM0_1`), one with a single
value keeps its name; where the score is the only number, it is the feature F0 (but JSON lines as
export-nbest writes them are read as they are).  Files may be compressed; several are read one after
another.  Numbers that are the better the lower they are become scores by --negate.  --text-field
and --remove-subwords change the text; what was there is kept as the field `text` or `subwords`.
All lists are held in memory, unless 1 to 16 files are larger than 32 MB together, uncompressed,
with fields between bars, sentences ascend, all lines have the same labels, and -o names a file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from campanula.formats.nbest import FORMATS
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.command_line.text_flags import TextForm, add_text_flags
from campanula.stages.nbest import nbest_flags
from campanula.stages.nbest.importing import AUTO, Import, write_imported
from campanula.stages.nbest.importing import import_nbest as import_nbest


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
    asked = Import(args.input, args.format, options, args.negate, form)
    negated = {"negate": ",".join(args.negate)} if args.negate else {}
    # the format is not part of the signature: the same list gives the same bytes in any format
    signature = command.signature("import-nbest", **negated, **form.signature())
    written = write_imported(asked, args.output, signature, args.jobs)
    for warning in written.warnings.lines():
        command.say(args, f"import-nbest: warning: {warning}")
    hypotheses = written.warnings.presence.hypotheses
    command.say(args, f"import-nbest: {hypotheses} hypotheses of {written.sentences} sentences")


if __name__ == "__main__":
    raise SystemExit(main())
