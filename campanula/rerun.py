"""Redo a run of `tune` from the run.json in its folder, and say whether the same comes out.

Settings are those of the run, inputs the files that it read: where one of these is no longer what
it was, nothing is done.  The run goes to --work-dir, by default to its own folder, where it takes
what its cache still has.  Weights and translations must have the bytes that the first run's had.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence

from campanula.formats.errors import DataError
from campanula.pipelines import failures, tune
from campanula.pipelines.failures import StageFailed
from campanula.pipelines.inputs import Inputs
from campanula.pipelines.run_record import NAME, Digests, RunRecord
from campanula.stages import command
from campanula.stages.parsing import Parser

WORK_DIR = "--work-dir"


def parser() -> Parser:
    """Return the parser of the flags."""
    p = Parser(
        prog="campanula rerun",
        description=__doc__,
        epilog="example:\n  campanula rerun run --work-dir again",
    )
    p.add_argument("run", metavar="RUN", help="folder of a run of `tune`")
    p.add_argument(
        WORK_DIR, metavar="DIR", help="where the run is done again (default: in its own folder)"
    )
    p.add_argument(
        "--folder",
        metavar="DIR",
        help="where relative paths begin (default: the folder in which the run was started)",
    )
    p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary on stderr")
    return p


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = None if argv is None else list(argv)
    return failures.status_of(lambda: command.run(body, parser(), given))


def body(args: argparse.Namespace) -> None:
    """Look at the inputs, run `tune`, compare what comes out."""
    record = RunRecord.read(args.run)
    if record.command[:1] != ["tune"] or len(record.command) < 2:
        problem = "expected the command line of a run, found none"
        raise DataError(os.path.join(args.run, NAME), None, problem)
    if record.results == {}:
        problem = "'results': expected digests of weights and translations, found none"
        raise DataError(os.path.join(args.run, NAME), None, problem)
    folder = record.folder if args.folder is None else args.folder
    if not os.path.isdir(folder):
        problem = "the run was started in this folder, which is gone; expected --folder DIR"
        raise DataError(folder, None, problem)
    work_dir = os.path.abspath(args.work_dir or args.run)
    words = [*without_work_dir(record.command[1:]), WORK_DIR, work_dir]
    with contextlib.chdir(folder):
        refuse_changed(record.inputs)
        status = tune.main([*words, "-q"] if args.quiet else words)
    if status:
        raise StageFailed("tune", status)
    compare(args.run, record.results, RunRecord.read(work_dir).results or {})
    if record.results is None:
        said = "the first run did not come to its end; this one did"
    else:
        said = f"{', '.join(record.results)}: the same bytes as those of {args.run}"
    command.say(args, f"campanula rerun: {said}; {work_dir}")


def without_work_dir(words: Sequence[str]) -> list[str]:
    """The words of a command line without --work-dir and its value."""
    left: list[str] = []
    skip = False
    for word in words:
        if not skip and word != WORK_DIR and not word.startswith(f"{WORK_DIR}="):
            left.append(word)
        skip = word == WORK_DIR and not skip
    return left


def refuse_changed(inputs: Digests) -> None:
    """Raise DataError for a file or folder that is not what it was."""
    now = Inputs()
    for path, found in inputs.items():
        if not os.path.lexists(path):
            raise DataError(path, None, "an input of the run, which is gone")
        if now.digest_of(path) != found:
            raise DataError(path, None, "an input of the run, which has changed since")


def compare(run: str, before: Digests | None, after: Digests) -> None:
    """Raise DataError for a result whose bytes are others now."""
    for name, found in (before or {}).items():
        if after.get(name) != found:
            problem = f"{name} is another now"
            program = "by this version of the program, or in this environment"
            raise DataError(os.path.join(run, NAME), None, f"{problem}, {program}")


if __name__ == "__main__":
    raise SystemExit(main())
