"""Cases of inventories: their files, lists against them, and weights streams, with faults.

A command that succeeds on damaged files has written what it writes of the sound ones.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import xxhash

from campanula.formats.inventories.manifest import FILE
from tests.fuzzing import damage, running, streams, wire
from tests.fuzzing.case import Case, expect

Files = dict[str, bytes]

COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("F", "k --inventory F", "w --inventory F", "k", "w"),
    "rerank": ("k --weights w --kbest", "k --weights w --inventory F"),
    "impute-hope": ("k --weights w --inventory F",),
    "select-violating": ("k --truth k --weights w", "k --truth k --weights w --inventory F"),
    "optimize": ("k k --loss costmargin --weights w --inventory F --epochs 2 --cache c",),
    "kbest-stats": ("k", "k --inventory F --feature *"),
    "merge-kbest": ("k k --inventory F", "k k"),
    "drop-features": ("k --inventory F --keep names", "k --min-count 1"),
    "export-nbest": ("k --inventory F",),
    "import-weights": ("text --inventory F",),
    "export-weights": ("w --inventory F",),
    "index-features": ("k --shards 2", "k --extend F", "names.kbest --extend F"),
}
ODD = (*damage.ODD_VALUES, "../k", "0" * 32)


def inventory_case(rng: random.Random) -> Case:
    """A command whose inventory, lists or weights have faults."""
    name = rng.choice(list(COMMANDS))
    words = rng.choice(COMMANDS[name]).split()
    if rng.random() < 0.2:
        return Case("inventory", edited(sound(), rng), name, [*words, "-q"])
    files = sound()
    for _ in range(rng.choice((0, 1, 1, 2))):
        files = rng.choice(FAULTS)(files, rng)

    def check(folder: Path) -> None:
        expect(content(folder / "out"), written(name, tuple(words)), "output")

    return Case("inventory", files, name, [*words, "-q"], check)


@contextlib.contextmanager
def elsewhere(files: Files) -> Iterator[None]:
    """Files in a folder of their own, which is the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, data in files.items():
                Path(name).parent.mkdir(exist_ok=True)
                Path(name).write_bytes(data)
            yield
        finally:
            os.chdir(before)


@functools.cache
def sound() -> Files:
    """Files of an inventory, lists against it, a weights stream, and what they were made of."""
    made = {
        "names.kbest": wire.dumps(streams.kbest(random.Random(1), True)),
        "text": b"LM0 0.5\npair_a~~b -1\n",
        "names": b"LM0\nx\n",
    }
    with elsewhere(made):
        running.again("index-features", ["names.kbest", "--inventory", "F", "-q", "-o", "k"])
        running.again("import-weights", ["text", "--inventory", "F", "-q", "-o", "w"])
        return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@functools.cache
def written(name: str, words: tuple[str, ...]) -> bytes:
    """What a command writes of the sound files."""
    with elsewhere(sound()):
        running.again(name, [*words, "-q", "-o", "out"])
        return content(Path("out"))


def content(path: Path) -> bytes:
    """The bytes of a file, or of all files of a folder, by their names."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return b"".join(file.read_bytes() for file in files)


def edited(files: Files, rng: random.Random) -> Files:
    """A manifest that fits its checksum and perhaps nothing else."""
    path = f"F/{FILE}"
    content: dict[str, Any] = json.loads(files[path])
    content.pop("checksum")
    content[rng.choice(list(content))] = rng.choice(ODD)
    packed = json.dumps(content, sort_keys=True).encode()
    content["checksum"] = xxhash.xxh3_64_hexdigest(packed)
    return {**files, path: json.dumps(content).encode()}


def _damageable(files: Files) -> list[str]:
    return sorted(name for name in files if name in ("k", "w") or name.startswith("F/"))


def spoil(files: Files, rng: random.Random) -> Files:
    """A file of the inventory, the lists or the weights with a fault."""
    name = rng.choice(_damageable(files))
    return {**files, name: damage.raw_bytes(files[name], rng)}


def remove(files: Files, rng: random.Random) -> Files:
    """One file less."""
    gone = rng.choice(_damageable(files))
    return {name: data for name, data in files.items() if name != gone}


def swap(files: Files, rng: random.Random) -> Files:
    """Two files of the inventory in each other's place."""
    one, other = rng.sample([name for name in sorted(files) if name.startswith("F/")], 2)
    return {**files, one: files[other], other: files[one]}


def leave(files: Files, rng: random.Random) -> Files:
    """What a killed extension leaves behind."""
    name = rng.choice(("F/names.text", "F/names.end", "F/fingerprint", "F/table-9", "F/.x.tmp"))
    return {**files, name: files.get(name, b"") + bytes(rng.randrange(256) for _ in range(9))}


FAULTS = (spoil, spoil, spoil, spoil, remove, swap, leave)
