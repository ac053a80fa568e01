"""Target words of options as text: of paths, of phrases, of single words."""

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
    """Target phrases: number (n_arcs,) of each arc's; phrase p is word[pointer[p]:pointer[p + 1]],
    numbers of text (n_words,).
    """

    number: Ids
    pointer: Ints
    word: Ids
    text: Texts


class OptionTexts(NamedTuple):
    """Target words of options: where each one's words stand, and how to spell them.

    info (n_options, 6) as in records.Options, whose places are those of `word`.
    """

    info: Ids
    word: Ids
    spelling: Spelling

    @classmethod
    def of(cls, model: Model, store: OptionStore, info: Ids | None = None) -> Self:
        """Those of a store's options, or of others with words of the store."""
        from campanula.stages.kernels.graph.texts import Spelling

        spelling = Spelling(model.target.blob, model.target.offset, *store.extra)
        return cls(store.options.info if info is None else info, store.word, spelling)

    @classmethod
    def of_lattice(cls, lattice: Lattice, info: Ids) -> Self:
        """Those of a lattice's phrases."""
        from campanula.stages.kernels.graph.texts import Spelling

        blob = np.frombuffer(lattice.word.blob, np.uint8)
        nothing = np.zeros(0, np.uint8), np.zeros(1, np.int64)
        return cls(info, lattice.phrase_word, Spelling(blob, lattice.word.pointer, *nothing))

    def path_texts(self, paths: Paths, link: Ids) -> Texts:
        """The words of paths (n_paths,) through arcs (records.Graph)."""
        from campanula.stages.kernels.graph.texts import texts

        text, pointer = texts(paths, link, self.info, self.word, self.spelling)
        return Texts(text.tobytes(), pointer)

    def phrases(self, option: NDArray[np.integer]) -> Phrases:
        """Phrases of arcs, given their options (n_arcs,)."""
        different, number = np.unique(option, return_inverse=True)
        pointer, place = expand(self.info[different, PLACE], self.info[different, LENGTH])
        words, phrase_word = np.unique(self.word[place], return_inverse=True)
        return Phrases(
            number.reshape(-1).astype(np.int32),
            pointer,
            phrase_word.reshape(-1).astype(np.int32),
            self.words(words),
        )

    def words(self, number: NDArray[np.integer]) -> Texts:
        """Words by their numbers."""
        blob, start, extra_blob, extra_start = self.spelling
        known = len(start) - 1
        words = [
            blob[start[n] : start[n + 1]].tobytes()
            if n < known
            else extra_blob[extra_start[n - known] : extra_start[n - known + 1]].tobytes()
            for n in number.tolist()
        ]
        lengths = np.array([len(word) for word in words], np.int64)
        return Texts(b"".join(words), pointer_of(lengths))
