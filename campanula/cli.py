"""The command `campanula`, of which every command is a word; the program of every console script.

    campanula decode --help         the same as: decode --help, python -m campanula decode --help

A command's module is loaded when the command is run, and not for the list of them.
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
    from campanula.stages.parsing import Parser

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

GARBAGE = 1_000_000  # objects between searches for cycles: data is in arrays

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
    """Function of the console script of a command: `cli.score_bleu` runs `score-bleu`."""
    command = name.replace("_", "-")
    if command not in SCRIPTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(run, command)


def run(name: str) -> int:
    """Run a command as this process, which ends with it.

    The matrix products of the commands are small and their threads are their own.  BLAS, left
    alone, starts a thread a core as NumPy is loaded, which spins for a while: a short command would
    wait for it.  What is many while modules are loaded is code, which is no garbage.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(GARBAGE)
    try:
        status: int = importlib.import_module(MODULES[name]).main()
    except KeyboardInterrupt:  # while modules were loaded
        return 130
    return status


def parser_of(name: str) -> Parser:
    """Parser of a command's flags."""
    p: Parser = importlib.import_module(MODULES[name]).parser()
    return p


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the first word names, with the words after it as its own."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words and words[0] in MODULES:
        if argv is None:
            sys.argv = words
            return run(words[0])
        status: int = importlib.import_module(MODULES[words[0]]).main(words[1:])
        return status
    parser().parse_args(words[:1])  # what is no command ends here
    return 2


def parser() -> Parser:
    """Parser of the first word."""
    from campanula.stages.parsing import Parser

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
    """What a command does: the first line of its file."""
    path = os.path.join(os.path.dirname(__file__), *MODULES[name].split(".")[1:])
    with open(f"{path}.py", encoding="utf-8") as file:
        return file.readline().strip().removeprefix('r"""').strip('"')
