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

from campanula.formats.errors import DataError, LineError, ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.text_fields import texts_of_field
from campanula.formats.records.texts import Texts
from campanula.formats.text.subwords import JOINERS, check_pieces, joined

T = TypeVar("T")

PIECES = "subwords"  # the field that keeps a text whose pieces were joined
TEXT = "text"  # the field that keeps a text for which another was taken


def add_subwords_flag(p: argparse._ActionsContainer) -> None:
    """Add --remove-subwords."""
    p.add_argument(
        "--remove-subwords",
        choices=list(JOINERS),
        help="join subwords into words: bpe (c@@ at) or spm (SentencePiece's ▁)",
    )


def add_text_flags(p: argparse._ActionsContainer) -> None:
    """Add --text-field and --remove-subwords."""
    p.add_argument("--text-field", metavar="NAME", help="field to take for the text of the lists")
    add_subwords_flag(p)


@dataclass(frozen=True, slots=True)
class TextForm:
    """The text that a command reads: a field or the list's own text, with subwords joined or not.

    field: name of the text field, or None.  subwords: a key of JOINERS, or None.
    """

    field: str | None = None
    subwords: str | None = None

    @classmethod
    def of_flags(cls, args: argparse.Namespace) -> TextForm:
        """Return the form that the flags of `add_text_flags` ask for."""
        return cls(args.text_field, args.remove_subwords)

    def signature(self) -> dict[str, str]:
        """Return the form's part of a signature: nothing for a text as it is."""
        given = {"text": self.field, "subwords": self.subwords}
        return {name: value for name, value in given.items() if value is not None}

    def apply(self, kbest: KBest, source: str) -> KBest:
        """Return the list with the texts of this form; raises DataError where it has none."""
        try:
            if self.field is not None:
                kbest = replace(kbest, text=texts_of_field(kbest, self.field))
            if self.subwords is not None:
                check_pieces(kbest.text, self.subwords)
        except (LineError, ListError) as error:
            raise DataError(source, f"sentence {kbest.sid}", str(error)) from error
        if self.subwords is not None:
            kbest = replace(kbest, text=joined(kbest.text, self.subwords))
        return kbest

    def scored(
        self,
        lists: Iterable[KBest],
        price: Callable[[Iterable[KBest]], Iterator[KBest]],
        source: str,
    ) -> Iterator[KBest]:
        """Yield every list with its own texts, and statistics and gains of this form's texts."""
        waiting: deque[KBest] = deque()  # lists as they are; `price` may read ahead

        def texts() -> Iterator[KBest]:
            for kbest in lists:
                waiting.append(kbest)
                yield self.apply(kbest, source)

        for priced in price(texts()):
            yield replace(waiting.popleft(), stats=priced.stats, gain=priced.gain)

    def reading(self, values: Callable[[KBest], T], source: str) -> Callable[[KBest], T]:
        """Return a function of lists that gives `values` the lists with the texts of this form."""
        return lambda kbest: values(self.apply(kbest, source))

    def all_of(self, lists: Iterable[KBest], source: str) -> Iterator[KBest]:
        """Yield every list with the texts of this form."""
        return (self.apply(kbest, source) for kbest in lists)

    def keeping_all(self, lists: Iterable[KBest], source: str) -> Iterator[KBest]:
        """Yield every list with the texts of this form; those that they replace become fields."""
        return (self.keeping(kbest, source) for kbest in lists)

    def keeping(self, kbest: KBest, source: str) -> KBest:
        """Return the list with the texts of this form, and its own text as a field.

        The text that a field replaces becomes the field `text`, subwords that are joined the field
        `subwords`.  Raises DataError for a list that has such a field already.
        """
        if self == AS_IT_IS:
            return kbest
        fields = dict(kbest.fields)
        # in two steps, since `subwords` keeps the field's text with its pieces apart
        chosen = TextForm(self.field).apply(kbest, source)
        if self.field is not None:
            # it is the text from here on; the text that it replaces becomes a field
            del fields[self.field]
            _add(fields, TEXT, kbest, source)
        if self.subwords is not None:
            _add(fields, PIECES, chosen, source)
        return replace(TextForm(None, self.subwords).apply(chosen, source), fields=fields)


AS_IT_IS = TextForm()


def _add(fields: dict[str, Texts], name: str, kbest: KBest, source: str) -> None:
    if name in fields:
        problem = f"expected no field {name!r}, since the replaced text is kept there; found one"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    fields[name] = kbest.text
