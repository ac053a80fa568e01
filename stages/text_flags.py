"""Which text of a hypothesis a command reads or writes, and whether its subwords are joined.

`--text-field NAME` takes a field of the lists for the text, `--remove-subwords bpe|spm` joins the
pieces.  Commands share these flags; those that read no lists have the second alone.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from campanula.formats.errors import DataError, LineError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.subwords import JOINERS, check_pieces, joined

T = TypeVar("T")

PIECES = "subwords"  # the field that keeps a text whose pieces were joined
TEXT = "text"  # the field that keeps a text for which another was taken


def add_subwords_flag(p: argparse._ActionsContainer) -> None:
    """Flag --remove-subwords."""
    p.add_argument(
        "--remove-subwords",
        choices=list(JOINERS),
        help="join subwords into words: bpe (c@@ at) or spm (SentencePiece's ▁)",
    )


def add_text_flags(p: argparse._ActionsContainer) -> None:
    """Flags --text-field and --remove-subwords."""
    p.add_argument("--text-field", metavar="NAME", help="field to take for the text of the lists")
    add_subwords_flag(p)


@dataclass(frozen=True, slots=True)
class TextForm:
    """The text of a hypothesis: that of a field, or its own, with subwords of a kind joined."""

    field: str | None = None
    subwords: str | None = None

    @classmethod
    def of_flags(cls, args: argparse.Namespace) -> TextForm:
        """What the flags of `add_text_flags` ask for."""
        return cls(args.text_field, args.remove_subwords)

    def signature(self) -> dict[str, str]:
        """What a signature says of it: nothing of a text as it is."""
        given = {"text": self.field, "subwords": self.subwords}
        return {name: value for name, value in given.items() if value is not None}

    def of(self, kbest: KBest, source: str) -> KBest:
        """The list with the texts asked for; raises DataError for a field that it lacks."""
        if self.field is not None:
            kbest = replace(kbest, text=_field(kbest, self.field, source))
        if self.subwords is not None:
            try:
                check_pieces(kbest.text, self.subwords)
            except LineError as error:
                raise DataError(source, f"sentence {kbest.sid}", str(error)) from error
            kbest = replace(kbest, text=joined(kbest.text, self.subwords))
        return kbest

    def scored(
        self,
        lists: Iterable[KBest],
        price: Callable[[Iterable[KBest]], Iterator[KBest]],
        source: str,
    ) -> Iterator[KBest]:
        """Yield every list as it is, with statistics and gains that `price` has of these texts."""
        waiting: deque[KBest] = deque()

        def texts() -> Iterator[KBest]:
            for kbest in lists:
                waiting.append(kbest)
                yield self.of(kbest, source)

        for priced in price(texts()):
            yield replace(waiting.popleft(), stats=priced.stats, gain=priced.gain)

    def asked(self, values: Callable[[KBest], T], source: str) -> Callable[[KBest], T]:
        """A function of lists, of their texts as asked for."""
        return lambda kbest: values(self.of(kbest, source))

    def all_of(self, lists: Iterable[KBest], source: str) -> Iterator[KBest]:
        """Yield every list with the texts asked for."""
        return (self.of(kbest, source) for kbest in lists)

    def keeping_all(self, lists: Iterable[KBest], source: str) -> Iterator[KBest]:
        """Yield every list with the texts asked for, what was there in its place as a field."""
        return (self.keeping(kbest, source) for kbest in lists)

    def keeping(self, kbest: KBest, source: str) -> KBest:
        """The same, with the texts that were there as fields `text` and `subwords`.

        Raises DataError for lists that have such fields already.
        """
        if self == AS_IT_IS:
            return kbest
        fields = dict(kbest.fields)
        chosen = TextForm(self.field).of(kbest, source)
        if self.field is not None:
            del fields[self.field]
            _add(fields, TEXT, kbest, source)
        if self.subwords is not None:
            _add(fields, PIECES, chosen, source)
        return replace(TextForm(None, self.subwords).of(chosen, source), fields=fields)


AS_IT_IS = TextForm()


def _field(kbest: KBest, name: str, source: str) -> Texts:
    if name not in kbest.fields:
        known = ", ".join(kbest.fields) or "none"
        problem = f"expected a text field {name!r}, found {known}"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    return kbest.fields[name]


def _add(fields: dict[str, Texts], name: str, kbest: KBest, source: str) -> None:
    if name in fields:
        problem = f"expected no field {name!r}, which the text that was there goes to; found one"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    fields[name] = kbest.text
