"""Well-known files of other programs, as bytes: what a command may be handed by mistake."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import pickle
import tarfile
import zipfile
from collections.abc import Callable

import numpy as np

from campanula.formats.arrays.types import Floats

NBEST = b"0 ||| the cat ||| LM0= -1 WordPenalty0= -2 ||| -3\n"
ARPA = b"\\data\\\nngram 1=3\n\n\\1-grams:\n-1 <s> 0\n-1 </s> 0\n-1 a 0\n\n\\end\\\n"
TABLE = (
    b"der ||| the ||| 0.5 0.5 ||| 0-0 ||| 1 1 1\ndie katze ||| the cat ||| 1 1 ||| 0-0 ||| 1 1 1\n"
)
INI = b"# made by hand\n[feature]\nKENLM name=LM0 path=lm\n[weight]\nLM0= 0.5\n"


def zipped(*names: str) -> bytes:
    """A zip archive of files of these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return out.getvalue()


def tarred() -> bytes:
    """A tar archive of one file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("lists"), io.BytesIO())
    return out.getvalue()


def numbers(save: Callable[[io.BytesIO, Floats], None]) -> bytes:
    """What NumPy saves."""
    out = io.BytesIO()
    save(out, np.zeros(3))
    return out.getvalue()


BINARY = {
    "KenLM's own form": b"mmap lm http://kheafield.com/code format version 5\n\0\0\0\x80?",
    "UTF-16 text: iconv": "the cat\na dog\n".encode("utf-16"),
    "UTF-16 text": "the cat\na dog\n".encode("utf-16-le"),
    "UTF-32 text": "the cat\n".encode("utf-32"),
    "compressed twice": gzip.compress(gzip.compress(NBEST)),
    "compressed twice: decompress": gzip.compress(bz2.compress(NBEST)),
    "an Office document": zipped("[Content_Types].xml", "word/document.xml"),
    "an OpenDocument file": zipped("mimetypeapplication/vnd.oasis.opendocument.text"),
    "a PyTorch file": zipped("archive/data.pkl"),
    "a zip archive: unpack it": zipped("lists.txt"),
    "a tar archive": gzip.compress(tarred()),
    "a NumPy array": numbers(np.save),
    "a NumPy archive": numbers(np.savez),
    "a Parquet table: write JSON lines": b"PAR1\x15\x04",
    "an Arrow table": b"ARROW1\0\0",
    "an HDF5 file": b"\x89HDF\r\n\x1a\n\0",
    "an SQLite database": b"SQLite format 3\0",
    "a Python pickle": pickle.dumps({"LM0": 0.5}),
    "a Python pickle: write": pickle.dumps([1.0], 2),
    "a PDF file": b"%PDF-1.7\n",
    "a 7z archive": b"7z\xbc\xaf\x27\x1c\0\4",
    "compressed by lz4": b"\x04\x22\x4d\x18\x64",
    "an OpenFst file": b"\xd6\xfd\xb2\x7e\6\0\0\0",
    "an image": b"\x89PNG\r\n\x1a\n\0",
    "an audio file": b"RIFF\x24\x08\0\0WAVEfmt ",
    "a binary archive of Kaldi": b"spk1-utt1 \0BFV \x04",
}
"""Files that are no text, by what a message says of them."""

TEXTS = {
    "a Moses n-best list: import-nbest": NBEST,
    "an n-best list: import-nbest": b"0 ||| the cat ||| -1 -2 ||| -3\n",
    "an n-best list": b"0 ||| the cat ||| LM=-1 WP=-2 ||| -3\n",
    "a Moses phrase table: decode --phrase-table": TABLE,
    "a language model as ARPA text: decode --lm": ARPA,
    "a moses.ini: decode --moses-ini": INI,
    "a model.json: decode --model": json.dumps(
        {"phrase-table": "t", "lm": "lm"}, indent=1
    ).encode(),
    "JSON lines with ids and texts": b'{"id": "u1", "text": "a"}\n{"id": "u2", "text": "b"}\n',
    "SGML or XML": b'<refset setid="x">\n<seg id="1">a</seg>\n',
    "a web page": b"\n<!DOCTYPE html>\n<html>\n",
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
}
"""Files of text that are surely not what they are taken for."""

UNSURE = {
    "a weights file: --weights": b"# made by hand\nLM0 0.5\nWordPenalty0 -1\n",
    "JSON: import-nbest": b'{"id": "u1", "hyps": [{"text": "a", "score": -1}]}\n',
}
"""Files that may be text for all that."""
