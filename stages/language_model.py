"""A language model that scores whole sentences, as KenLM does, in natural logarithms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import xxhash

from formats.arpa import read_arpa
from formats.automaton import Automaton, build_automaton, with_unknown
from formats.columns import Floats
from formats.files import display_name
from formats.texts import Texts
from formats.vocabulary import words_of
from stages.decoder import table_bits


class SentenceScorer:
    """Scores texts under an ARPA model: `scorer(texts)`; <s> and </s> are added.

    A word that the model does not have is <unk>.
    """

    def __init__(self, path: str) -> None:
        from stages.kernels.search import LanguageModel

        arpa = with_unknown(read_arpa(path))
        automaton = build_automaton(arpa, display_name(path))
        self._index = {word: i for i, word in enumerate(arpa.vocabulary)}
        begin, end, self._unknown = automaton.special.tolist()
        table, unigram, state = automaton.table, automaton.unigram, automaton.state
        self._lm = LanguageModel(
            table,
            table.view(np.float32),
            unigram,
            unigram.view(np.float32),
            state,
            state.view(np.float32),
            table_bits(table),
            begin,
            end,
        )
        self.digest = _digest(arpa.vocabulary, automaton)

    def __call__(self, texts: Texts) -> Floats:
        """Natural log probabilities (n,) of texts, which are split at blanks and tabs."""
        from stages.kernels.sentence_scores import sentence_scores

        get, unknown, word = self._index.get, self._unknown, []
        pointer = np.zeros(len(texts) + 1, np.int64)
        for j, (start, end) in enumerate(pairwise(texts.pointer.tolist()), 1):
            word += [get(token, unknown) for token in words_of(texts.blob[start:end])]
            pointer[j] = len(word)
        score: Floats = sentence_scores(self._lm, np.array(word, np.int32), pointer)
        return score


def _digest(words: list[bytes], automaton: Automaton) -> str:
    """Checksum of a model, as 16 hexadecimal digits."""
    summed = xxhash.xxh3_64(b"\n".join(words))
    for part in (automaton.table, automaton.unigram, automaton.state):
        summed.update(part.astype("<i4").tobytes())
    return summed.hexdigest()
