"""The manifest of an inventory: the sizes and names of the files that belong to it.

    {"kind": "inventory", "version": 1, "names": N, ..., "checksum": XXH3-64 of the rest}

An extension replaces the manifest atomically as its last act.  Bytes that a killed run leaves in
the other files are beyond the sizes in the manifest, and the next extension cuts them off.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.inventories import chain
from campanula.formats.inventories.reference import DIGEST, MOST_NAMES
from campanula.formats.json_objects import read_object

FILE = "inventory.json"
KIND = "inventory"
VERSION = 1
EMPTY = chain.START.hex()


@dataclass(frozen=True, slots=True)
class InventoryManifest:
    """Sizes, file names and checksums of an inventory; digests are hexadecimal.

    text: size of names.text in bytes; sentences: how many sentences the counts are of; bits: width
    of a fingerprint; table, count: names of files; generation: number of commits; links: the
    chain's links of all full blocks, joined; digest: of all names; index: the same chain over ends
    and fingerprints, full_index: the same up to the last full block.
    """

    names: int = 0
    text: int = 0
    sentences: int = 0
    bits: int = 64
    table: str = ""
    table_checksum: str = ""
    count: str = ""
    count_checksum: str = ""
    generation: int = 0
    links: str = ""
    digest: str = EMPTY
    full_index: str = EMPTY
    index: str = EMPTY

    def link(self, blocks: int) -> bytes:
        """Return the chain's link after this many full blocks."""
        return bytes.fromhex(self.links[32 * (blocks - 1) : 32 * blocks]) or chain.START

    @classmethod
    def read(cls, folder: str) -> InventoryManifest:
        """Read the manifest of a folder; raises DataError if there is none, or it is damaged."""
        path = os.path.join(folder, FILE)
        try:
            content = read_object(path)
        except FileNotFoundError as error:
            problem = "no such folder" if not os.path.isdir(folder) else f"it has no {FILE}"
            raise DataError(folder, None, f"expected an inventory; {problem}") from error
        if content.get("kind") != KIND:
            raise DataError(path, None, "expected an inventory, found something else")
        if content.get("version") != VERSION:
            problem = f"expected version {VERSION}, found {content.get('version')!r}"
            raise DataError(path, None, problem)
        checksum = content.pop("checksum", None)
        if checksum != _checksum(content):
            raise DataError(path, None, "damaged: the checksum does not fit")
        fields: dict[str, Any] = {name: content.get(name) for name in cls.__slots__}
        manifest = cls(**fields)
        if not manifest._is_sound():
            raise DataError(path, None, "damaged: expected sizes and digests that go together")
        return manifest

    def _is_sound(self) -> bool:
        """Whether the fields have the right types and sizes and name the files of an inventory."""
        counts = (self.names, self.text, self.sentences, self.bits, self.generation)
        digests = [self.digest, self.full_index, self.index]
        if not all(type(count) is int and 0 <= count < 1 << 62 for count in counts):
            return False
        # a name has at least one byte, and its line end
        if self.names > MOST_NAMES or not 1 <= self.bits <= 64 or self.text < 2 * self.names:
            return False
        files = (f"table-{self.names}", f"count-{self.generation}")
        if self != InventoryManifest(bits=self.bits):  # not the empty one of a new inventory
            if (self.table, self.count) != files:
                return False
            digests += [self.table_checksum, self.count_checksum]
        links = self.links
        full = isinstance(links, str) and len(links) == 32 * (self.names // chain.BLOCK)
        return full and all(map(_is_digest, (*digests, *_single_links(links))))

    def write(self, folder: str) -> None:
        """Write the manifest atomically and durably."""
        content: dict[str, Any] = {"kind": KIND, "version": VERSION, **asdict(self)}
        content["checksum"] = _checksum(content)
        with Output(os.path.join(folder, FILE)) as out:
            out.write_line(json.dumps(content, indent=1))


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def _single_links(links: str) -> list[str]:
    return [links[k : k + 32] for k in range(0, len(links), 32)]


def _checksum(content: dict[str, Any]) -> str:
    return xxhash.xxh3_64_hexdigest(json.dumps(content, sort_keys=True).encode())


def check_number(names: int, source: str) -> None:
    """Raise DataError for more names than there are ids."""
    if names > MOST_NAMES:
        raise DataError(source, None, f"expected at most {MOST_NAMES} names, found more")
