"""Redo a run of `tune` from the run.json in its folder, and say whether its results are the same.

The run is repeated with its own settings and input files; if an input has changed since, nothing is
done.  The new run goes to --work-dir, by default to the first run's folder, where it reuses the
cache.  Weights and translations must be byte for byte those of the first run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence

from campanula.formats.errors import DataError
from campanula.pipelines import tune
from campanula.pipelines.run_record import NAME, Digests, RunRecord
from campanula.pipelines.tasks import failures
from campanula.pipelines.tasks.failures import StageFailed
from campanula.pipelines.tasks.inputs import Inputs
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser

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
    words = None if argv is None else list(argv)
    return failures.status_of(lambda: command.run(body, parser(), words))


def body(args: argparse.Namespace) -> None:
    """Check the inputs, run `tune`, compare the results."""
    record = RunRecord.read(args.run)
    if record.command[:1] != ["tune"] or len(record.command) < 2:
        problem = "expected the command line of a run of `tune`, found none; start `tune` anew"
        raise DataError(os.path.join(args.run, NAME), None, problem)
    # None is a run that did not come to its end and may be done again; {} has lost its digests
    if record.results == {}:
        problem = "'results': expected digests of weights and translations, found none"
        raise DataError(os.path.join(args.run, NAME), None, problem)
    folder = record.folder if args.folder is None else args.folder
    if not os.path.isdir(folder):
        problem = "the run was started in this folder, which is gone; name another by --folder"
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
        message = "the first run did not come to its end; this one did"
    else:
        message = f"{', '.join(record.results)}: the same bytes as those of {args.run}"
    command.say(args, f"campanula rerun: {message}; {work_dir}")


def without_work_dir(words: Sequence[str]) -> list[str]:
    """Return the words of a command line without --work-dir and its value."""
    others: list[str] = []
    skip = False
    for word in words:
        if not skip and word != WORK_DIR and not word.startswith(f"{WORK_DIR}="):
            others.append(word)
        # the word after --work-dir is its value, even if the value is spelled like the flag
        skip = word == WORK_DIR and not skip
    return others


def refuse_changed(inputs: Digests) -> None:
    """Raise DataError for an input file or folder that is gone or whose digest has changed."""
    now = Inputs()
    for path, digest in inputs.items():
        if not os.path.lexists(path):
            raise DataError(path, None, "this input of the run is gone; put it back")
        if now.digest_of(path) != digest:
            problem = "this input of the run has changed since; put the old one back"
            raise DataError(path, None, f"{problem}, or start `tune` anew")


def compare(run: str, before: Digests | None, after: Digests) -> None:
    """Raise DataError for a result of the first run whose bytes differ now."""
    for name, digest in (before or {}).items():
        if after.get(name) != digest:
            problem = f"{name}: expected the bytes of the first run, found others"
            reason = f"the program or its libraries have changed since, see {NAME} of both"
            raise DataError(os.path.join(run, NAME), None, f"{problem}: {reason}")


if __name__ == "__main__":
    raise SystemExit(main())
