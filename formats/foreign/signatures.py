"""Kinds of binary files, by their first bytes, and of text that is not UTF-8.

The bytes are from the programs' own documentation, or from file(1).
"""

from __future__ import annotations

import re

from campanula.formats.decompressing import BZIP2, GZIP, XZ, ZSTD
from campanula.formats.foreign.kinds import FileKind

STREAM = "stream"
OURS = re.compile(rb"[\x80-\x8f]\xa4kind[\xa0-\xbf]([a-z-]+)")  # a map whose first key is `kind`
LINES_OF_IT = "write what is in it as text, a line each, or as JSON lines"
OF_PANDAS = "write JSON lines of it (in pandas: to_json(path, orient='records', lines=True))"
UNPACK = "unpack it and name the file"
PLAIN_TEXT = "save it as plain text in UTF-8"
KENLM = FileKind(
    "kenlm", "a binary file, KenLM's own form of a language model", "give its ARPA text"
)
TWICE = FileKind("compressed", "a file that was compressed twice", "decompress it once")
UTF16 = FileKind("utf-16", "UTF-16 text", "iconv -f UTF-16 -t UTF-8 makes UTF-8 of it")
UTF32 = FileKind("utf-32", "UTF-32 text", "iconv -f UTF-32 -t UTF-8 makes UTF-8 of it")
ARCHIVE = FileKind("zip", "a zip archive", UNPACK)
OFFICE = FileKind("office", "an Office document (Word, Excel)", PLAIN_TEXT)
AUDIO = FileKind("audio", "an audio file", "give a recogniser's lists of what is said in it")
IMAGE = FileKind("image", "an image", "give a recogniser's lists of what is written in it")

SIGNATURES: tuple[tuple[bytes, FileKind], ...] = (
    (b"mmap lm ", KENLM),
    (b"\xff\xfe\0\0", UTF32),
    (b"\0\0\xfe\xff", UTF32),
    (b"\xff\xfe", UTF16),
    (b"\xfe\xff", UTF16),
    (GZIP, TWICE),
    (XZ, TWICE),
    (ZSTD, TWICE),
    (b"\x93NUMPY", FileKind("numpy", "a NumPy array", LINES_OF_IT)),
    (b"PAR1", FileKind("parquet", "a Parquet table", OF_PANDAS)),
    (b"ARROW1", FileKind("arrow", "an Arrow table", OF_PANDAS)),
    (b"\x89HDF\r\n\x1a\n", FileKind("hdf5", "an HDF5 file", LINES_OF_IT)),
    (b"SQLite format 3\0", FileKind("sqlite", "an SQLite database", LINES_OF_IT)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE),
    (b"%PDF-", FileKind("pdf", "a PDF file", PLAIN_TEXT)),
    (b"{\\rtf", FileKind("rtf", "an RTF document", PLAIN_TEXT)),
    (b"7z\xbc\xaf\x27\x1c", FileKind("7z", "a 7z archive", UNPACK)),
    (b"Rar!\x1a\x07", FileKind("rar", "a RAR archive", UNPACK)),
    (b"\x04\x22\x4d\x18", FileKind("lz4", "a file compressed by lz4", "lz4 -d decompresses it")),
    (b"\x1f\x9d", FileKind("compress", "a file compressed by compress", "gzip -d decompresses it")),
    (
        b"\xd6\xfd\xb2\x7e",
        FileKind("fst", "an OpenFst file", "give lists, as text, of its best paths"),
    ),
    (b"\x89PNG\r\n\x1a\n", IMAGE),
    (b"\xff\xd8\xff", IMAGE),
    (b"fLaC", AUDIO),
    (b"OggS", AUDIO),
    (b"\x7fELF", FileKind("program", "a program", "give a file of data")),
)
PATTERNS: tuple[tuple[re.Pattern[bytes], FileKind], ...] = (
    (BZIP2, TWICE),
    (
        re.compile(rb"\x80[\x02-\x05][\x80-\xff\]})(cXKMJGI]"),
        FileKind("pickle", "a Python pickle", LINES_OF_IT),
    ),
    (re.compile(rb"RIFF....WAVE", re.DOTALL), AUDIO),
    (re.compile(rb".{257}ustar", re.DOTALL), FileKind("tar", "a tar archive", UNPACK)),
    (
        re.compile(rb"[^\s\0]+ \0B"),
        FileKind("ark", "a binary archive of Kaldi", "write it as text (ark,t:)"),
    ),
)
IN_ZIP: tuple[tuple[bytes, FileKind], ...] = (
    (b"[Content_Types].xml", OFFICE),
    (b"word/", OFFICE),
    (b"application/vnd.oasis", FileKind("office", "an OpenDocument file", PLAIN_TEXT)),
    (b"data.pkl", FileKind("pytorch", "a PyTorch file", LINES_OF_IT)),
    (b".npy", FileKind("npz", "a NumPy archive (.npz)", LINES_OF_IT)),
)
SHOWS = {"weights": "export-weights writes its text"}  # advice where it is not `show prints it`


def signature_of(head: bytes) -> FileKind | None:
    """Return the kind of a file that is no UTF-8 text, from its first bytes; None if unknown."""
    if (ours := OURS.match(head)) is not None:
        kind = ours[1].decode()
        return FileKind(STREAM, f"a stream of kind {kind!r}", SHOWS.get(kind, "show prints it"))
    if head.startswith(b"PK\x03\x04"):
        return next((kind for mark, kind in IN_ZIP if mark in head), ARCHIVE)
    for first, kind in SIGNATURES:
        if head.startswith(first):
            return kind
    for pattern, kind in PATTERNS:
        if pattern.match(head):
            return kind
    return UTF16 if _is_wide(head) else None


def _is_wide(head: bytes) -> bool:
    """Whether a file looks like UTF-16 without a byte order mark.

    In UTF-16 of mostly Latin text one byte of each pair is nearly always zero, the other never.
    """
    even = head[0::2].count(0)
    odd = head[1::2].count(0)
    half = len(head) // 2
    return half > 1 and max(even, odd) > 0.8 * half and min(even, odd) == 0
