"""What every command has in common: flags, exit codes, the lines on stderr.

Exit codes: 0; 1 a fault in the user's data (one line on stderr); 2 a fault in the flags; 130
Ctrl-C; 141 the reader of our output has gone (silent).  A bug of ours is a traceback.  stdout has
data only.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from campanula.formats import __version__, signals
from campanula.formats.errors import DataError
from campanula.formats.files import flush_stdout
from campanula.formats.output_paths import is_one_file
from campanula.formats.registry import BrokenName, Registry, UnknownName, unknown
from campanula.formats.text.numbers import float_or_nan, whole_number
from campanula.stages.command_line.bars import bar as bar
from campanula.stages.command_line.bars import complain as complain
from campanula.stages.command_line.parsing import Parser
from campanula.stages.kernels import kernel_cache

T = TypeVar("T")

UNITS = "KMGTkmgt"  # of bytes


class UsageError(ValueError):
    """Flags, or settings from Python, that do not go together; exit status 2 of a command."""


def parser(prog: str, doc: str | None, example: str) -> Parser:
    """Return the argument parser of a stage: its help is the module's docstring and an example.

    Every stage has `-o`, `-q` and `--version`; a stage adds its own inputs and flags.
    """
    p = Parser(prog=prog, description=doc, epilog=f"example:\n  {example}")
    p.add_argument("-o", "--output", metavar="PATH", help="output file (default: stdout)")
    p.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary on stderr")
    return p


def run(
    body: Callable[[argparse.Namespace], None],
    p: argparse.ArgumentParser,
    argv: list[str] | None = None,
) -> int:
    """Parse the flags, run the body, and return the exit status.

    Without `argv` the flags are those of the command line, and the process ends with the command.
    """
    if argv is not None:
        return _status(body, p, p.parse_args(argv))
    _occupy_standard_files()
    signals.install()
    args = p.parse_args()
    # Only here: a command that runs within another, such as a step of a loop, has a -q that the
    # user did not give.
    kernel_cache.quiet = getattr(args, "quiet", False)
    status = _status(body, p, args)
    _leave(status)
    return status


def _status(
    body: Callable[[argparse.Namespace], None], p: argparse.ArgumentParser, args: argparse.Namespace
) -> int:
    import numpy as np

    try:
        # numbers that are not finite are refused by name at the end; NumPy's warnings name nothing
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            body(args)
        flush_stdout()
    except DataError as error:
        complain(f"{p.prog}: {error}")
        return 1
    except UsageError as error:
        prog = getattr(args, "prog", p.prog)  # of the sub-command, whose help has the flag
        complain(f"{prog}: {error} (see {prog} --help)")
        return 2
    except BrokenPipeError:
        # the interpreter flushes stdout once more when it ends; the null device takes that
        with suppress(AttributeError, OSError):  # an object put in the place of stdout is no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    return 0


def _occupy_standard_files() -> None:
    """Open the null device as stdin, stdout and stderr where these are closed.

    Otherwise the next file that is opened gets the number 2, and messages go into this file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one


def _leave(status: int) -> None:
    """End the process without Python's clean-up, unless a profiler or a tracer watches it.

    Unloading Numba's libraries takes longer than most commands.
    """
    if sys.getprofile() is None and sys.gettrace() is None:
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(status)


def add_input(p: argparse._ActionsContainer, what: str) -> None:
    """Add the argument `input`, a path or by default `-`; `what` names its content in the help."""
    p.add_argument("input", nargs="?", default="-", help=f"{what} (default: stdin)")


def add_jobs_flag(
    p: argparse._ActionsContainer, what: str = "threads", default: int | None = 1
) -> None:
    """Add --jobs, the number of threads or processes; `what` names them in the help.

    A default of None, which counts as 1, is for commands that must know whether the flag was given.
    """
    p.add_argument(
        "--jobs",
        type=positive_int,
        default=default,
        metavar="N",
        help=f"{what}; the output is the same for any number (default: {default or 1})",
    )


def add_missing_flag(p: argparse.ArgumentParser) -> None:
    """Add --allow-missing, which accepts weights and lists whose features differ."""
    p.add_argument(
        "--allow-missing",
        action="store_true",
        help="a feature without a weight counts 0, a weight without a feature is kept",
    )


def signature(command: str, /, *inputs: str, **options: object) -> str:
    """Return how an output was made, in one line such as sacrebleu's: `name:value|name:value`.

    inputs: signatures of the lists that it was made of; they follow as ` < FIRST + SECOND`, equal
    ones once.  options: what else determines the bytes (settings, seeds, checksums of inputs),
    never a path or --jobs.
    """
    parts = {"campanula": __version__, "command": command, **options}
    own = "|".join(f"{name}:{value}" for name, value in parts.items())
    return f"{own} < {' + '.join(dict.fromkeys(inputs))}" if inputs else own


def say(args: argparse.Namespace, message: str) -> None:
    """Write one summary line to stderr, unless the command is quiet."""
    if not args.quiet:
        complain(message)


def outputs_apart(*outputs: str | None) -> None:
    """Raise UsageError when two outputs are the same file; None is stdout."""
    for place, output in enumerate(outputs):
        if any(is_one_file(output, other) for other in outputs[:place]):
            name = "stdout" if output in (None, "-") else output
            raise UsageError(f"two outputs cannot both go to {name}")


def refuse_faults(faults: Iterable[str]) -> None:
    """Raise UsageError with the first of some faults in the flags, if there are any."""
    fault = next(iter(faults), None)
    if fault is not None:
        raise UsageError(fault)


def one_stdin(*inputs: str | None) -> None:
    """Raise UsageError when more than one of the inputs is `-`."""
    if inputs.count("-") > 1:
        raise UsageError("only one input can be stdin")


def progress(
    items: Iterable[T],
    args: argparse.Namespace,
    label: str,
    total: int | None = None,
    unit: str = "sentences",
) -> Iterator[T]:
    """Yield the items behind a progress bar, unless the command is quiet."""
    return bar(items, args.quiet, label, total, unit)


def watch(args: argparse.Namespace) -> Callable[[Iterable[T], str], Iterator[T]]:
    """Return a function (items, label) that yields the items behind a progress bar.

    It is for functions that know no flags.
    """
    return lambda items, label: bar(items, args.quiet, label)


class Choice:
    """Argument type: a name of a table, or one of `others`.

    `taken` lists the names of the table that the command takes, where these are not all.
    """

    def __init__(
        self, table: Registry[Any], *others: str, taken: Callable[[], list[str]] | None = None
    ) -> None:
        self.table = table
        self.others = others
        self._taken = taken or (lambda: list(table))

    def names(self) -> list[str]:
        """Return the names to choose from, without those of entry points."""
        return [*self.others, *self._taken()]

    def __call__(self, name: str) -> str:
        """Return the name itself; raise ArgumentTypeError for one that neither has.

        The error lists the names that are close, or all that the command takes.
        """
        try:
            if name not in self.others:
                self.table[name]
        except BrokenName as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        except UnknownName:
            names = [*self.names(), *self.table.entry_points()]
            raise argparse.ArgumentTypeError(unknown(self.table.kind, name, names)) from None
        except (TypeError, ValueError) as error:  # an entry point that is no loss, metric, format
            raise argparse.ArgumentTypeError(str(error)) from None
        return name


def braces(names: Iterable[str]) -> str:
    """Return names as argparse shows choices: `{a,b}`."""
    return f"{{{','.join(names)}}}"


def positive_int(text: str) -> int:
    """Argument type: an integer of at least 1."""
    return _whole(text, 1)


def non_negative_int(text: str) -> int:
    """Argument type: an integer of at least 0."""
    return _whole(text, 0)


def integer(text: str) -> int:
    """Argument type: an integer."""
    value = whole_number(text.removeprefix("-"))
    if value is None:
        raise argparse.ArgumentTypeError(f"expected an integer, found {text}")
    return -value if text.startswith("-") else value


def _whole(text: str, least: int) -> int:
    value = whole_number(text)
    if value is None or value < least:
        problem = f"expected an integer of at least {least}, found {text}"
        raise argparse.ArgumentTypeError(problem)
    return value


def byte_count(text: str) -> int:
    """Argument type: a number of bytes, or of K, M, G or T of them (powers of 1024)."""
    digits = text.rstrip(UNITS)
    number = whole_number(digits)
    unit = text[len(digits) :].upper()
    if number is None or len(unit) > 1:
        problem = f"expected a number of bytes, such as 500M or 4G, found {text}"
        raise argparse.ArgumentTypeError(problem)
    return number << 10 * (1 + UNITS.index(unit) if unit else 0)


def non_negative_float(text: str) -> float:
    """Argument type: a finite number of at least 0."""
    value = float_or_nan(text)
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, found {text}")
    return value


def finite_float(text: str) -> float:
    """Argument type: a finite number."""
    value = float_or_nan(text)
    if not abs(value) < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a finite number, found {text}")
    return value
