"""METEOR: words matched by form, by stem and by meaning, and in which order they stand.

    F = P R / (alpha P + (1 - alpha) R),    METEOR = F (1 - gamma (chunks / matches)^beta)

Banerjee and Lavie 2005, with their numbers alpha 0.9 (F = 10 P R / (R + 9 P)), beta 3, gamma 0.5.
The alignment is kernels/metrics/alignment.py's, the best reference counts, and the value of a
corpus is that of summed statistics.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats import __version__
from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.stages.metrics.metric import LOWERCASE, PERCENT, TOKENIZE, Bounds, Metric
from campanula.stages.metrics.report import Report

if TYPE_CHECKING:
    from campanula.formats.text.wordnet import WordNet
    from campanula.stages.metrics.sentence import SentenceTexts

SETTINGS = {"alpha": 0.9, "beta": 3.0, "gamma": 0.5}
"""The settings of the gain in their order, and the paper's values."""

EXACT, STEM, SYNONYM = "exact", "stem", "synonym"


@dataclass(frozen=True)
class Meteor(Metric):
    """Statistics are matches, words of the hypothesis, words of the reference, chunks.

    gain_settings are alpha, beta and gamma.  stem says whether stems are matched; wordnet is a
    folder of WordNet, by which synonyms are, and synonyms its checksum.
    """

    own_name: ClassVar[str] = "meteor"
    width: ClassVar[int] = 4
    bounds: ClassVar[Bounds] = PERCENT
    gain_names: ClassVar[tuple[str, ...]] = ("meteor",)
    most_settings: ClassVar[int] = len(SETTINGS)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)

    stem: bool = True
    wordnet: str | None = field(default=None, compare=False)
    synonyms: str = ""

    def __post_init__(self) -> None:
        """Fill in what is not given; raises ValueError for settings that cannot be."""
        super().__post_init__()
        if not self.gain_settings:
            object.__setattr__(self, "gain_settings", tuple(SETTINGS.values()))
        if len(self.gain_settings) != len(SETTINGS):
            raise ValueError(f"meteor: expected {', '.join(SETTINGS)}, found {self.gain_settings}")
        alpha, beta, gamma = self.gain_settings
        if not (0.0 <= alpha <= 1.0 and 0.0 <= beta < np.inf and 0.0 <= gamma <= 1.0):
            problem = "expected alpha and gamma from 0 to 1 and beta from 0 on"
            raise ValueError(f"meteor: {problem}, found {alpha}, {gamma} and {beta}")
        if self.wordnet is not None and not self.synonyms:
            object.__setattr__(self, "synonyms", wordnet_of(self.wordnet).digest)

    @property
    def modules(self) -> tuple[str, ...]:
        """What words are matched by, in this order."""
        asked = {EXACT: True, STEM: self.stem, SYNONYM: bool(self.synonyms)}
        return tuple(module for module, wanted in asked.items() if wanted)

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Statistics (n_hyps, 4)."""
        from campanula.stages.kernels.metrics.meteor import meteor_statistics

        known = sentence.vocabulary
        stem = stem_numbers(known.words, porter=self.stem)
        kind = likeness(stem, known.n_of_refs)
        if self.synonyms:
            self._add_synonyms(kind, known.words)
        settings = np.array(self.gain_settings)
        return meteor_statistics(
            known.hyp, known.hyp_end, known.ref, known.ref_end, kind, stem, settings
        )

    def _add_synonyms(self, kind: Bytes, words: Sequence[str]) -> None:
        """Mark the pairs (n_types, n_ref_types) that share a synset and nothing before."""
        from campanula.stages.kernels.metrics import alignment

        if self.wordnet is None:
            raise TypeError("synonyms are matched where there is a folder of WordNet")
        synsets = [synsets_of(self.wordnet, word) for word in words]
        holders = defaultdict(list)
        for ref_type, its in enumerate(synsets[: kind.shape[1]]):
            for synset in its:
                holders[synset].append(ref_type)
        for word_type, its in enumerate(synsets):
            for synset in its:
                for ref_type in holders.get(synset, ()):
                    if kind[word_type, ref_type] == alignment.FREE:
                        kind[word_type, ref_type] = alignment.SYNONYM

    def sentence_gains(self, stats: Ints) -> Floats:
        """METEOR of the sentence."""
        from campanula.stages.kernels.metrics.meteor import meteor

        return meteor(stats, np.array(self.gain_settings))

    def corpus_values(self, sums: Ints) -> Floats:
        """System-level METEOR in [0, 1]: the same of aggregate statistics."""
        return self.sentence_gains(sums)

    def possible(self, stats: Ints) -> Flags:
        """No more matches than words, no more chunks than matches, and chunks where matches are."""
        matches, chunks = stats[:, 0], stats[:, 3]
        words = stats[:, 1:3].min(axis=1)
        chunked = (chunks <= matches) & ((chunks > 0) == (matches > 0))
        return np.asarray(super().possible(stats) & (matches <= words) & chunked)

    def fields(self) -> dict[str, object]:
        """As every metric's, and by what words are matched."""
        return {**super().fields(), **self._words_matched_by()}

    def _words_matched_by(self) -> dict[str, object]:
        given = {"modules": "+".join(self.modules)}
        return {**given, "wordnet": self.synonyms} if self.synonyms else {**given}

    def header(self) -> dict[str, object]:
        """As every metric's, and by what words are matched."""
        return {**super().header(), "stem": self.stem, "synonyms": self.synonyms}

    def with_header(self, header: Mapping[str, Any]) -> Meteor:
        """The metric as scored lists have it; it has the statistics, and needs no WordNet."""
        stem, synonyms = header["stem"], header["synonyms"]
        if not isinstance(stem, bool) or not isinstance(synonyms, str):
            raise ValueError("expected `stem` and `synonyms` of meteor, found others")
        return replace(self, stem=stem, synonyms=synonyms)

    def report(self, sums: npt.ArrayLike) -> Report:
        """METEOR in percent, and all its settings."""
        value = 100.0 * float(self.corpus_values(np.asarray(sums)[None])[0])
        texts = {"nrefs": self.n_refs, "case": self.case, "tok": self.tokenize}
        settings = dict(zip(SETTINGS, self.gain_settings, strict=True))
        version = {"version": f"campanula-{__version__}"}
        parts = {**texts, **self._words_matched_by(), **settings, **version}
        signature = tuple(f"{name}:{part}" for name, part in parts.items())
        return Report("METEOR", signature, value, f"{value:.{self.digits}f}")


def stem_numbers(words: Sequence[str], porter: bool) -> Ids:
    """Number the stems of distinct words (n_types,); without Porter's each is its own."""
    from campanula.stages.metrics.porter import porter_stem

    if not porter:
        return np.arange(len(words), dtype=np.int32)
    number: dict[str, int] = {}
    return np.array([number.setdefault(porter_stem(w), len(number)) for w in words], np.int32)


def likeness(stem: Ids, n_of_refs: int) -> Bytes:
    """Which module matches a word to one of the references, (n_types, n_of_refs), by its stem."""
    from campanula.stages.kernels.metrics import alignment

    kind = np.where(stem[:, None] == stem[None, :n_of_refs], alignment.STEM, alignment.FREE)
    np.fill_diagonal(kind, alignment.EXACT)
    return kind.astype(np.uint8)


_opening = threading.Lock()


@lru_cache(1)
def _read(folder: str) -> WordNet:
    from campanula.formats.text.wordnet import WordNet

    return WordNet.read(folder)


def wordnet_of(folder: str) -> WordNet:
    """WordNet of a folder, which is read once."""
    with _opening:
        return _read(folder)


@lru_cache(1 << 16)
def synsets_of(folder: str, word: str) -> frozenset[tuple[str, int]]:
    """Synsets of a word and its base forms."""
    return wordnet_of(folder).synsets(word)
