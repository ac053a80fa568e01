"""Texts of options' target words: of paths, of phrases, of single words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.pointers import expand, pointer_of
from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.records.lattice import Lattice
from campanula.formats.records.texts import Texts
from campanula.stages.kernels.records import LENGTH, PLACE

if TYPE_CHECKING:
    from campanula.formats.model.model import Model
    from campanula.stages.decoding.option_store import OptionStore
    from campanula.stages.kernels.graph.paths import Paths
    from campanula.stages.kernels.graph.texts import Spelling


class Phrases(NamedTuple):
    """Target phrases: number (n_arcs,) of each arc's phrase; phrase p has the words
    word[pointer[p]:pointer[p + 1]], which are places in text (n_words,).
    """

    number: Ids
    pointer: Ints
    word: Ids
    text: Texts


class OptionTexts(NamedTuple):
    """Target words of options: where each option's words are, and how to spell them.

    info (n_options, 6) as in records.Options; its places are places in `word`.
    """

    info: Ids
    word: Ids
    spelling: Spelling

    @classmethod
    def of(cls, model: Model, store: OptionStore, info: Ids | None = None) -> Self:
        """Return the words of a store's options, or of options `info` with words of the store."""
        from campanula.stages.kernels.graph.texts import Spelling

        spelling = Spelling(model.target.blob, model.target.offset, *store.extra)
        return cls(store.options.info if info is None else info, store.word, spelling)

    @classmethod
    def of_lattice(cls, lattice: Lattice, info: Ids) -> Self:
        """Return the words of a lattice's phrases; info: one option for each arc or phrase."""
        from campanula.stages.kernels.graph.texts import Spelling

        blob = np.frombuffer(lattice.word.blob, np.uint8)
        no_extra_words = np.zeros(0, np.uint8), np.zeros(1, np.int64)
        spelling = Spelling(blob, lattice.word.pointer, *no_extra_words)
        return cls(info, lattice.phrase_word, spelling)

    def path_texts(self, paths: Paths, link: Ids) -> Texts:
        """Return the texts of paths (n_paths,) through the arcs `link` (records.Graph)."""
        from campanula.stages.kernels.graph.texts import texts

        text, pointer = texts(paths, link, self.info, self.word, self.spelling)
        return Texts(text.tobytes(), pointer)

    def phrases(self, option: NDArray[np.integer]) -> Phrases:
        """Return the phrases of arcs from their options (n_arcs,); each option has its own."""
        different, number = np.unique(option, return_inverse=True)
        pointer, place = expand(self.info[different, PLACE], self.info[different, LENGTH])
        # numbered anew, so that only the words of these phrases are spelled
        words, phrase_word = np.unique(self.word[place], return_inverse=True)
        return Phrases(
            number.reshape(-1).astype(np.int32),
            pointer,
            phrase_word.reshape(-1).astype(np.int32),
            self.words(words),
        )

    def words(self, number: NDArray[np.integer]) -> Texts:
        """Return the words of these numbers; numbers past the vocabulary are unknown words."""
        blob, start, extra_blob, extra_start = self.spelling
        n_words = len(start) - 1
        words = [
            blob[start[n] : start[n + 1]].tobytes()
            if n < n_words
            else extra_blob[extra_start[n - n_words] : extra_start[n - n_words + 1]].tobytes()
            for n in number.tolist()
        ]
        lengths = np.array([len(word) for word in words], np.int64)
        return Texts(b"".join(words), pointer_of(lengths))
