"""Writing lists in a format and reading them back."""

from campanula.formats.nbest import FORMATS
from tests.listing import plain_lists
from tests.plain import plain


def round_trip(folder, lists, form):
    """The lists as they come back, as plain values."""
    text = "".join(f"{line}\n" for line in FORMATS[form].write(lists, "dev"))
    return plain_lists(folder, text, form) if lists else []


def without(lists, *columns):
    """Lists as plain values without some columns."""
    bare = [plain(kbest) for kbest in lists]
    for kbest in bare:
        kbest.update((column, {} if column == "fields" else None) for column in columns)
    return bare
