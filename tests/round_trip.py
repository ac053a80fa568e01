"""Writing lists in a format and reading them back."""

from pathlib import Path

from campanula.formats.nbest import FORMATS
from campanula.formats.records.kbest import KBest
from tests.listing import plain_lists
from tests.plain import PlainList, plain


def round_trip(folder: Path, lists: list[KBest], form: str) -> list[PlainList]:
    """The lists as they come back, as plain values."""
    text = "".join(f"{line}\n" for line in FORMATS[form].write(lists, "dev"))
    return plain_lists(folder, text, form) if lists else []


def without(lists: list[KBest], *columns: str) -> list[PlainList]:
    """Lists as plain values without some columns."""
    bare = [plain(kbest) for kbest in lists]
    for kbest in bare:
        kbest.update((column, {} if column == "fields" else None) for column in columns)
    return bare
