"""The features of lists that are blocks, by their names, and the ids of blocks of table rows."""

from __future__ import annotations

import re

import numpy as np

from campanula.formats.arrays.types import Flags, Ids
from campanula.formats.feature_names.sparse import escaped, split_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.formats.text.words import split_byte_words
from campanula.stages.inventories.lookup import Lookup

PREFIX = "block_"
SPECIAL = re.compile(r"[%=|~,]")


def block_name(source: bytes, target: bytes) -> str:
    """Return the name of the feature of a block; the phrases have single blanks between words."""
    return f"{PREFIX}{_phrase(source)}~~{_phrase(target)}"


def _phrase(phrase: bytes) -> str:
    text = phrase.decode()
    if text.isprintable() and not SPECIAL.search(text):  # no word has anything to escape
        return text.replace(" ", "~")
    return "~".join(escaped(word.decode()) for word in split_byte_words(phrase))


def is_copy(name: str) -> bool:
    """Whether a block is a copied source word, as unknown words are translated."""
    feature = split_name(name)
    if feature is None or len(feature.phrases) != 2:
        return False
    source, target = feature.phrases
    # decoders pass an unknown word through as it is, one word at a time, and no table has it
    return source == target and len(source) == 1


class BlockIds:
    """Ids of blocks in the names of lists, which are a stream's own or an inventory's."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._lookup = Lookup(names) if isinstance(names, Inventory) else None

    def ids_of(self, asked: list[str]) -> Ids:
        """Return the ids (n,) of names; -1 for a name that the lists lack."""
        if self._lookup is not None:
            return self._lookup.ids_of(asked)
        names = self.names
        return np.array([names.id(n) if n in names else -1 for n in asked], np.int32)

    def are_blocks(self) -> Flags:
        """Return the mask (n_names,) of the names of blocks."""
        names = self.names
        if isinstance(names, Inventory):
            return _starting(names, PREFIX.encode())
        return np.array([name.startswith(PREFIX) for name in names], np.bool_)


def _starting(names: Inventory, prefix: bytes) -> Flags:
    """Return the mask (n_names,) of the names that begin with a prefix.

    The bytes are compared column by column, since a loop over millions of names takes long.
    """
    start = np.zeros(len(names), np.int64)
    start[1:] = names.end[:-1]
    mask = names.end - start > len(prefix)
    for place, byte in enumerate(prefix):
        left = np.flatnonzero(mask)
        mask[left] = names.text[start[left] + place] == byte
    return mask
