"""The command `campanula`, whose first word names a command; also every console script's program.

    campanula decode --help         the same as: decode --help, python -m campanula decode --help

A command's module is loaded only when that command is run; the list of commands loads none.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campanula.stages.command_line.parsing import Parser

# in the order of the list that `campanula --help` prints
STAGES = (
    "import-nbest",
    "export-nbest",
    "import-weights",
    "export-weights",
    "score-bleu",
    "optimize",
    "growth-transform",
    "impute-hope",
    "rerank",
    "compare",
    "show",
    "kbest-stats",
    "merge-kbest",
    "prune-kbest",
    "add-feature",
    "drop-features",
    "index-features",
    "oracle-search",
    "select-violating",
    "decode",
    "rescore",
    "align-words",
    "extract-blocks",
    "extract-features",
    "condense-features",
    "estimate-lm",
    "estimate-classes",
    "select-sentences",
    "estimate-distortion",
)

GARBAGE = 1_000_000  # new objects between garbage collections; data is in arrays, without cycles

SCRIPTS = {
    "tune": "campanula.pipelines.tune",
    "report": "campanula.pipelines.report",
    **{name: f"campanula.stages.{name.replace('-', '_')}" for name in STAGES},
}
"""Module of every command that has a console script of its own."""

MODULES = {
    **SCRIPTS,
    "completion": "campanula.completion",
    "rerun": "campanula.rerun",
    "warm-up": "campanula.warm_up",
}
"""Module of every command; each has `parser()` and `main(argv)`."""


def __getattr__(name: str) -> Callable[[], int]:
    """Return the function of a command's console script: `cli.score_bleu` runs `score-bleu`."""
    command = name.replace("_", "-")
    if command not in SCRIPTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(run, command)


def run(name: str) -> int:
    """Run a command as the whole work of this process; return its exit status.

    BLAS is limited to one thread: the commands have small matrix products and start threads of
    their own.  By default BLAS starts one thread per core when NumPy is loaded; these spin for a
    while, and a short command would wait for them.  The threshold of the garbage collector is
    raised because loading modules makes many objects, none of them garbage.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(GARBAGE)
    try:
        status: int = importlib.import_module(MODULES[name]).main()
    except KeyboardInterrupt:  # Ctrl-C while modules were loaded; later ones the command handles
        return 130  # 128 + SIGINT, as shells report it
    return status


def parser_of(name: str) -> Parser:
    """Return the parser of a command's flags."""
    p: Parser = importlib.import_module(MODULES[name]).parser()
    return p


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the first word names, with the words after it as its own."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words and words[0] in MODULES:
        if argv is None:
            # the command has the process to itself, and reads its flags from there
            sys.argv = words
            return run(words[0])
        status: int = importlib.import_module(MODULES[words[0]]).main(words[1:])
        return status
    # exits: prints the help, the version, or an unknown command's error
    parser().parse_args(words[:1])
    return 2


def parser() -> Parser:
    """Return the parser of `campanula` itself, whose one argument is the name of a command."""
    from campanula.stages.command_line.parsing import Parser

    p = Parser(
        prog="campanula",
        usage="campanula [-h] [--version] COMMAND ...",
        description="Tunes linear translation models and k-best rerankers.",
        epilog="\n".join(["commands:", *_lines(), "", EXAMPLE]),
    )
    p.add_argument("command", choices=MODULES, metavar="COMMAND", help="what to run, see below")
    return p


EXAMPLE = "example:\n  campanula score-bleu --help"


def _lines() -> Iterator[str]:
    for name in MODULES:
        yield f"  {name:<{max(map(len, MODULES))}}  {summary(name)}"


def summary(name: str) -> str:
    """Return one line that says what a command does: the first line of its module's docstring.

    The file is read as text, since importing all modules would take long.
    """
    path = os.path.join(os.path.dirname(__file__), *MODULES[name].split(".")[1:])
    with open(f"{path}.py", encoding="utf-8") as file:
        return file.readline().strip().removeprefix('r"""').strip('"')
