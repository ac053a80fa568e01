"""The parser of every command: what is wrong with its flags is one line, which names what is close.

    decode: unknown flag --wieghts; did you mean --weights? (see decode --help)

An unknown flag is named before anything that only follows from it, such as an input too many.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from campanula.formats import __version__
from campanula.formats.registry import unknown

NUMBER = re.compile(r"-(\d|\.\d|inf(inity)?$|nan$)", re.IGNORECASE)
"""What begins as a negative number does, and is no flag: -1, -.5, -1e-3, -inf."""


class Parser(argparse.ArgumentParser):
    """A parser with --version, which takes no abbreviations and keeps the lines of a description.

    other_flags gives the flags that go on to another command, where any do.
    """

    other_flags: Callable[[], set[str]] | None = None

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)
        self._negative_number_matcher = NUMBER
        self._given: list[str] = []  # what a message goes by
        self._within = False  # argparse parses flags and inputs apart
        program = "campanula" if self.prog == "campanula" else f"{self.prog} (campanula)"
        self.add_argument("--version", action="version", version=f"{program} {__version__}")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse does, but inputs may stand before and behind flags, and among them.

        argparse gives an input that may be left out nothing at the first words that are no flags:
        `add-feature ratio A B --name R dev.kbest` is one input too many to it.
        """
        if self._within or not self._has_free_inputs():
            self._given = self._given if self._within else given_words(args)
            return super().parse_known_args(args, namespace)
        self._given = given_words(args)
        self._within = True
        try:
            return self.parse_known_intermixed_args(self._given, namespace)
        finally:
            self._within = False

    def _has_free_inputs(self) -> bool:
        """Whether there are inputs of any number, and no commands, which take all that follows."""
        given = [action.nargs for action in self._actions if not action.option_strings]
        return argparse.PARSER not in given and any(nargs in ("?", "*", "+") for nargs in given)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the flags, in one line, and exit with status 2."""
        parser, flag = next(self._unknown(), (self, None))
        if flag is not None:
            message = parser.unknown_flag(flag)
        self.exit(2, f"{parser.prog}: {message} (see {parser.prog} --help)\n")

    def unknown_flag(self, flag: str) -> str:
        """What to say of a flag that is none of ours."""
        import difflib

        flag = flag.partition("=")[0]
        close = difflib.get_close_matches(flag, sorted(self._known()), n=1)
        return f"unknown flag {flag}; did you mean {close[0]}?" if close else f"unknown flag {flag}"

    def flags(self) -> set[str]:
        """The flags, with those of one letter."""
        return {flag for action in self._actions for flag in action.option_strings}

    def _known(self) -> set[str]:
        return self.flags() | (self.other_flags() if self.other_flags else set())

    def _unknown(self) -> Iterator[tuple[Parser, str]]:
        """Yield the flags that are not known, each with the parser that it was given to."""
        known = self._known()
        for word in self._given:
            chosen = self._sub_parser(word)
            if chosen is not None:
                yield from chosen._unknown()
                return
            if word == "--":
                return
            if is_flag(word) and not known & {word, word.partition("=")[0], _short(word)}:
                yield self, word

    def _sub_parser(self, word: str) -> Parser | None:
        """The parser of a sub-command."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                parser: Parser = action.choices[word]
                return parser
        return None

    # Named privately by argparse, and there in every version; without it the message is argparse's.
    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if not isinstance(value, str) or action.choices is None or value in action.choices:
            super()._check_value(action, value)
            return
        name = action.dest if action.dest != argparse.SUPPRESS else action.metavar
        kind = str(name).lower().replace("_", " ")
        raise argparse.ArgumentError(action, unknown(kind, value, list(action.choices)))


def given_words(args: Sequence[str] | None) -> list[str]:
    """Words to parse, by default those of the command line."""
    return list(sys.argv[1:] if args is None else args)


def is_flag(word: str) -> bool:
    """Whether a word of a command line is taken for a flag."""
    return word[:1] == "-" and word != "-" and " " not in word and not NUMBER.match(word)


def _short(word: str) -> str:
    """The flag of one letter with which its value is written: -k of -k5."""
    return "" if word.startswith("--") else word[:2]
