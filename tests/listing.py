"""Lists of other tools as text, read as a test wants to see them."""

from pathlib import Path

from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import read_blocks
from campanula.formats.records.kbest import KBest
from tests.plain import PlainList, plain


def lists_of(
    folder: Path, text: str | bytes, form: str = "moses", size: int = 1 << 18
) -> list[KBest]:
    """K-best lists of a text in a format, read in blocks of some size."""
    path = folder / "list"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(FORMATS[form].read(read_blocks(str(path), size), str(path)))


def with_settings(folder: Path, text: str, form: str, /, **given: object) -> list[PlainList]:
    """Plain lists of a text in a format with settings."""
    path = folder / "list"
    path.write_text(text)
    format_with = FORMATS[form].with_options(given)
    return [plain(kbest) for kbest in format_with.read(read_blocks(str(path)), str(path))]


def plain_lists(
    folder: Path, text: str | bytes, form: str = "moses", size: int = 1 << 18
) -> list[PlainList]:
    """The same as plain values."""
    return [plain(kbest) for kbest in lists_of(folder, text, form, size)]


def hypothesis(
    folder: Path, line: str | bytes, form: str = "moses"
) -> tuple[str, dict[str, float], float | None, dict[str, str]]:
    """The one hypothesis of a list: text, features, score, fields."""
    (kbest,) = plain_lists(folder, line, form)
    (text,), (features,) = kbest["text"], kbest["features"]
    fields = {name: texts[0] for name, texts in kbest["fields"].items()}
    return text, features, None if kbest["score"] is None else kbest["score"][0], fields
