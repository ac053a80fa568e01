"""Print what makes a shell complete the commands, their flags, and what the flags take.

bash and zsh: eval "$(campanula completion bash)" in ~/.bashrc, or the same with zsh in ~/.zshrc,
after compinit.  tcsh: campanula completion tcsh > ~/.campanula.tcsh, and source it in ~/.tcshrc.
"""

from __future__ import annotations

import argparse

from campanula import cli
from campanula.formats.files import Output
from campanula.stages import command
from campanula.stages.command_line.parsing import Parser

SHELLS = ("bash", "zsh", "tcsh")
# metavars, and names of positional arguments, for which the shell completes paths
FILES = ("FILE", "PATH", "OUT", "SOURCE", "TARGET", "ALIGNMENT", "TEXT", "SYSTEM", "input")
FOLDERS = ("DIR", "FOLDER")


def parser() -> Parser:
    """Return the parser of the flags."""
    p = command.parser(
        "campanula completion", __doc__, "campanula completion bash > campanula.bash"
    )
    p.add_argument("shell", choices=SHELLS, help="the shell that completes")
    return p


def main(argv: list[str] | None = None) -> int:
    """Run the command."""
    return command.run(body, parser(), argv)


def body(args: argparse.Namespace) -> None:
    """Write the script of `campanula`, then those of the commands by themselves."""
    import shtab

    parsers = {name: completing(cli.parser_of(name)) for name in cli.MODULES}
    whole = Parser(prog="campanula")
    words = whole.add_subparsers(dest="command", metavar="COMMAND")
    for name, p in parsers.items():
        words.add_parser(name, help=cli.summary(name))
        # add_parser can only make a new parser; shtab finds the command's own by this map
        words.choices[name] = p
    with Output(args.output) as out:
        for p in (whole, *(parsers[name] for name in cli.SCRIPTS)):
            out.write_line(shtab.complete(p, args.shell))


def completing(p: Parser) -> Parser:
    """Return the parser, with a mark on every flag that takes a file, a folder or fixed names."""
    import shtab

    for action in p._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                completing(sub)
        elif isinstance(action.type, command.Choice):
            action.choices = action.type.names()
        elif action.choices is None and takes(action, FILES):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.choices is None and takes(action, FOLDERS):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return p


def takes(action: argparse.Action, kinds: tuple[str, ...]) -> bool:
    """Whether the metavar of a flag, or the name of a positional argument, is one of `kinds`."""
    names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
    return bool({*names, action.dest if not action.option_strings else None} & set(kinds))


if __name__ == "__main__":
    raise SystemExit(main())
