"""Weights files of other tools, read and written as a test wants to see them."""

from pathlib import Path

from campanula.formats.weight_files import FORMATS, read_weights
from campanula.formats.weights import Weights


def weights_of(
    folder: Path, text: str | bytes, form: str = "auto", names: str | None = None
) -> dict[str, float]:
    """Weights of a text in a format; names: text of a file that names F0, F1, ..."""
    path = folder / "weights"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if names is not None:
        (folder / "names").write_text(names)
        names = str(folder / "names")
    return dict(read_weights(str(path), form, names))


def text_of(weights: Weights, form: str) -> str:
    """Text of weights in a format."""
    write = FORMATS[form].write
    assert write is not None
    return "".join(f"{line}\n" for line in write(weights))
