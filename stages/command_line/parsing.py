"""The parser of every command: a fault in its flags is one line, which names the closest flag.

    decode: unknown flag --wieghts; did you mean --weights? (see decode --help)

An unknown flag is named before its consequences, such as an input too many.
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
"""The beginning of a negative number, which is no flag: -1, -.5, -1e-3, -inf."""


class Parser(argparse.ArgumentParser):
    """A parser with --version, which takes no abbreviations and keeps the lines of a description.

    other_flags returns the flags that are passed on to another command, if there are any.
    """

    other_flags: Callable[[], set[str]] | None = None

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        # a script with an abbreviated flag would break when another flag of that beginning is added
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)
        # argparse's own takes -1e-3 and -inf for flags
        self._negative_number_matcher = NUMBER
        self._given: list[str] = []  # words of the command line, for messages
        self._within = False  # within parse_known_intermixed_args, which calls parse_known_args
        program = "campanula" if self.prog == "campanula" else f"{self.prog} (campanula)"
        self.add_argument("--version", action="version", version=f"{program} {__version__}")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, but allow inputs before, behind and among flags.

        argparse decides at the first words that are no flags that an optional input is missing; for
        `add-feature ratio A B --name R dev.kbest` it then reports one input too many.
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
        """Whether the number of inputs may vary, and there are no sub-commands.

        Sub-commands take all words that follow, which intermixed parsing cannot do.
        """
        given = [action.nargs for action in self._actions if not action.option_strings]
        return argparse.PARSER not in given and any(nargs in ("?", "*", "+") for nargs in given)

    def error(self, message: str) -> NoReturn:
        """Write the fault in the flags as one line, and exit with status 2."""
        parser, flag = next(self._unknown(), (self, None))
        if flag is not None:
            message = parser.unknown_flag(flag)
        self.exit(2, f"{parser.prog}: {message} (see {parser.prog} --help)\n")

    def unknown_flag(self, flag: str) -> str:
        """Return the message for an unknown flag, with the closest flag if one is close."""
        import difflib

        flag = flag.partition("=")[0]
        close = difflib.get_close_matches(flag, sorted(self._known()), n=1)
        return f"unknown flag {flag}; did you mean {close[0]}?" if close else f"unknown flag {flag}"

    def flags(self) -> set[str]:
        """Return all flags, long ones and those of one letter."""
        return {flag for action in self._actions for flag in action.option_strings}

    def _known(self) -> set[str]:
        return self.flags() | (self.other_flags() if self.other_flags else set())

    def _unknown(self) -> Iterator[tuple[Parser, str]]:
        """Yield the unknown flags of the command line, each with the parser that got it."""
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
        """Return the parser of the sub-command `word`, None where it is none."""
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
    """Return the words to parse, by default those of the command line."""
    return list(sys.argv[1:] if args is None else args)


def is_flag(word: str) -> bool:
    """Whether a word of a command line is a flag, and no negative number, `-`, or quoted text."""
    return word[:1] == "-" and word != "-" and " " not in word and not NUMBER.match(word)


def _short(word: str) -> str:
    """Return the flag of one letter whose value is written behind it: -k of -k5; "" for others."""
    return "" if word.startswith("--") else word[:2]
