"""Seals: a file of checksums which shows that a result's files are whole and belong to it.

    8f0c...e1  1204  optimize-5f0c.weights    XXH3-128 of a file, its bytes, its name
    77a0...3b  optimize-5f0c                  XXH3-128 of the lines before and of the result's name

A file that has been emptied, cut, changed by a bit, or taken from another result does not match.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import xxhash

from campanula.formats.errors import reason
from campanula.formats.files import Output

PART = 1 << 18  # bytes read at a time; they stay in the processor's cache for the checksum
Digest = Callable[[str], tuple[str, int]]


def checksum_of(path: str) -> tuple[str, int]:
    """Return XXH3-128 and size in bytes of a file, or of all files of a folder by name."""
    content = xxhash.xxh3_128()
    size = 0
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            digest, n_bytes = checksum_of(os.path.join(path, name))
            content.update(f"{digest}  {n_bytes}  {name}\n".encode("utf-8", "surrogateescape"))
            size += n_bytes
        return content.hexdigest(), size
    chunk = memoryview(bytearray(PART))
    with open(path, "rb", buffering=0) as file:
        while n_bytes := file.readinto(chunk):
            content.update(chunk[:n_bytes])
            size += n_bytes
    return content.hexdigest(), size


def write(seal: str, result: str, paths: Sequence[str], digest: Digest = checksum_of) -> None:
    """Seal the files of a result; raises DataError when the seal cannot be written."""
    lines = []
    for path in paths:
        checksum, size = digest(path)
        lines.append(f"{checksum}  {size}  {os.path.basename(path)}\n")
    with Output(seal) as out:
        out.write(("".join(lines) + _last(lines, result)).encode())


def size_of(path: str) -> tuple[None, int]:
    """Return None for the checksum, and the size in bytes of a file or folder.

    For `fault`, where reading the file again is not worth while: its maker has just written it.
    """
    if os.path.isdir(path):
        return None, sum(size_of(os.path.join(path, name))[1] for name in os.listdir(path))
    return None, os.path.getsize(path)


def fault(
    seal: str,
    result: str,
    paths: Sequence[str],
    digest: Callable[[str], tuple[str | None, int]] = checksum_of,
) -> str | None:
    """Return what is wrong with the files of a result, in one line; None if all match the seal.

    With size_of as `digest` only the sizes are compared.  Raises FileNotFoundError if there is no
    seal.
    """
    try:
        # damaged bytes are replaced, and the last line shows that the seal does not fit
        with open(seal, encoding="utf-8", errors="replace") as file:
            *lines, last = file.readlines() or [""]
    except FileNotFoundError:
        raise
    except OSError as error:
        return f"{os.path.basename(seal)} cannot be read: {reason(error)}"
    if last != _last(lines, result):
        return f"{os.path.basename(seal)} does not fit"
    sealed = dict(map(_entry, lines))
    files = {os.path.basename(path): path for path in paths}
    for name in sorted(sealed.keys() ^ files.keys()):
        return f"{name} is {'missing' if name in sealed else 'no part of it'}"
    for name, path in files.items():
        try:
            checksum, size = digest(path)
        except OSError as error:
            return f"{name} cannot be read: {reason(error)}"
        expected, length = sealed[name]
        if size != length:
            return f"{name}: expected {length} bytes, found {size}"
        if checksum not in (None, expected):
            return f"{name}: the checksum does not fit"
    return None


def _entry(line: str) -> tuple[str, tuple[str, int]]:
    digest, size, name = line.rstrip("\n").split("  ", 2)
    return name, (digest, int(size))


def _last(lines: Sequence[str], result: str) -> str:
    content = "".join(lines) + result
    return f"{xxhash.xxh3_128_hexdigest(content.encode())}  {result}\n"
