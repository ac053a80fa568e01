"""The hypotheses of a sentence beside its references, as texts and as numbered units."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.formats.records.texts import Texts


class Units(NamedTuple):
    """Units of texts by number, as kernels/metrics/tokens.number gives them.

    ids and pointers (n_hyps + 1,) of the hypotheses, ids and pointers (n_refs + 1,) of the
    references, and the number of types.
    """

    hyp: Ids
    hyp_end: Ints
    ref: Ids
    ref_end: Ints
    n_types: int


class SentenceVocabulary(NamedTuple):
    """All words of a sentence by number, those of the references first.

    ids and pointers (n_hyps + 1,) of the hypotheses, ids and pointers (n_refs + 1,) of the
    references; the words themselves, and how many of them references have.
    """

    hyp: Ids
    hyp_end: Ints
    ref: Ids
    ref_end: Ints
    words: list[str]
    n_of_refs: int


class SentenceTexts:
    """Hypotheses (n_hyps,) and references (n_refs,) of sentence `sid`.

    The texts are lower-cased and tokenised as the metric's settings ask.  Units are numbered on
    first use.
    """

    def __init__(self, sid: int, hypotheses: Texts, references: Texts) -> None:
        self.sid = sid
        self.hypotheses = hypotheses
        self.references = references
        self._ends: Ints | None = None

    @cached_property
    def words(self) -> Units:
        """Words: units between white space."""
        from campanula.stages.kernels.metrics import tokens

        return self._units(tokens.WORDS)

    @cached_property
    def parts(self) -> Units:
        """chrF's words: a punctuation mark at the end or the beginning is a word of its own."""
        from campanula.stages.kernels.metrics import tokens

        return self._units(tokens.PARTS)

    @cached_property
    def characters(self) -> Units:
        """Characters that are no white space."""
        from campanula.stages.kernels.metrics import tokens

        return self._units(tokens.CHARACTERS)

    @cached_property
    def vocabulary(self) -> SentenceVocabulary:
        """All words, of hypotheses, too: `words` has one number for all that references lack."""
        from campanula.stages.kernels.metrics import tokens

        hypotheses = self.hypotheses
        references = self.references
        start = references.pointer[0]
        n_refs = len(references)
        used = references.blob[start : references.pointer[-1]]
        # references first, so that their words get the lowest numbers
        blob = used + hypotheses.blob
        pointer = np.concatenate(
            [references.pointer - start, hypotheses.pointer[1:] - hypotheses.pointer[0] + len(used)]
        )
        ids, ends, spans = tokens.vocabulary(np.frombuffer(blob, np.uint8), pointer)
        ref = ids[: ends[n_refs]]
        hyp = ids[ends[n_refs] :]
        words = [blob[first:last].decode("utf-8") for first, last in spans.tolist()]
        self._ends = ends[n_refs:] - ends[n_refs]
        n_of_refs = int(ref.max()) + 1 if len(ref) else 0
        return SentenceVocabulary(hyp, self._ends, ref, ends[: n_refs + 1], words, n_of_refs)

    @property
    def silent(self) -> Flags:
        """Which hypotheses (n_hyps,) are empty or white space: they have no units of any kind."""
        # units of any kind that are numbered already will do: a text without one kind has none of
        # another
        ends = self._ends if self._ends is not None else self.words.hyp_end
        return np.asarray(ends[1:] == ends[:-1], np.bool_)

    def _units(self, unit: int) -> Units:
        from campanula.stages.kernels.metrics import tokens

        hypotheses = self.hypotheses
        references = self.references
        blob = np.frombuffer(hypotheses.blob, np.uint8)
        ref_blob = np.frombuffer(references.blob, np.uint8)
        units = Units(*tokens.number(blob, hypotheses.pointer, ref_blob, references.pointer, unit))
        self._ends = units.hyp_end
        return units
