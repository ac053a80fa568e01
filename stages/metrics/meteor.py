"""METEOR: words matched by form, by stem and by meaning, and the order of the matches.

    F = P R / (alpha P + (1 - alpha) R),    METEOR = F (1 - gamma (chunks / matches)^beta)

Banerjee and Lavie 2005, with their numbers alpha 0.9 (F = 10 P R / (R + 9 P)), beta 3, gamma 0.5.
kernels/metrics/alignment.py aligns the words.  Of several references the best counts, and the value
of a corpus is that of summed statistics.
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

    gain_settings: alpha, beta and gamma.  stem: whether stems are matched.  wordnet: a folder of
    WordNet, by which synonyms are matched, or None.  synonyms: checksum of WordNet, "" without.
    """

    own_name: ClassVar[str] = "meteor"
    width: ClassVar[int] = 4
    bounds: ClassVar[Bounds] = PERCENT
    gain_names: ClassVar[tuple[str, ...]] = ("meteor",)
    most_settings: ClassVar[int] = len(SETTINGS)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)

    stem: bool = True
    # not compared: the same WordNet in another folder, which has the same checksum, is the same
    # metric
    wordnet: str | None = field(default=None, compare=False)
    synonyms: str = ""

    def __post_init__(self) -> None:
        """Fill in the default settings; raises ValueError for settings that are impossible."""
        super().__post_init__()
        if not self.gain_settings:
            # past the frozen dataclass: the signature shows the settings, so they must stand in the
            # field
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
        """The modules that match words, in their order."""
        switches = {EXACT: True, STEM: self.stem, SYNONYM: bool(self.synonyms)}
        return tuple(module for module, is_on in switches.items() if is_on)

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 4)."""
        from campanula.stages.kernels.metrics.meteor import meteor_statistics

        texts = sentence.vocabulary
        stem = stem_numbers(texts.words, porter=self.stem)
        kind = likeness(stem, texts.n_of_refs)
        if self.synonyms:
            self._add_synonyms(kind, texts.words)
        settings = np.array(self.gain_settings)
        return meteor_statistics(
            texts.hyp, texts.hyp_end, texts.ref, texts.ref_end, kind, stem, settings
        )

    def _add_synonyms(self, kind: Bytes, words: Sequence[str]) -> None:
        """Mark in kind (n_types, n_ref_types) the pairs that share a synset, but no stem."""
        from campanula.stages.kernels.metrics import alignment

        if self.wordnet is None:
            raise TypeError("synonyms are matched where there is a folder of WordNet")
        synsets = [synsets_of(self.wordnet, word) for word in words]
        ref_types = defaultdict(list)  # by synset
        # words of the references come first, so these are theirs
        for ref_type, of_word in enumerate(synsets[: kind.shape[1]]):
            for synset in of_word:
                ref_types[synset].append(ref_type)
        for word_type, of_word in enumerate(synsets):
            for synset in of_word:
                # not by index, which would add an empty entry to the defaultdict for each synset
                # that only hypotheses have
                for ref_type in ref_types.get(synset, ()):
                    # a match by words or by stems goes before one by synonyms, as the modules are
                    # in order
                    if kind[word_type, ref_type] == alignment.FREE:
                        kind[word_type, ref_type] = alignment.SYNONYM

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return METEOR of each hypothesis (n_hyps,)."""
        from campanula.stages.kernels.metrics.meteor import meteor

        return meteor(stats, np.array(self.gain_settings))

    def corpus_values(self, sums: Ints) -> Floats:
        """Return METEOR of summed statistics (m,), in [0, 1]."""
        return self.sentence_gains(sums)

    def possible(self, stats: Ints) -> Flags:
        """Return which rows (n,) have no more matches than words and no more chunks than matches.

        There are chunks if and only if there are matches.
        """
        matches = stats[:, 0]
        chunks = stats[:, 3]
        words = stats[:, 1:3].min(axis=1)
        chunked = (chunks <= matches) & ((chunks > 0) == (matches > 0))
        return np.asarray(super().possible(stats) & (matches <= words) & chunked)

    def fields(self) -> dict[str, object]:
        """Return the fields of every metric, and those of the modules that match words."""
        return {**super().fields(), **self._words_matched_by()}

    def _words_matched_by(self) -> dict[str, object]:
        modules: dict[str, object] = {"modules": "+".join(self.modules)}
        return {**modules, "wordnet": self.synonyms} if self.synonyms else modules

    def header(self) -> dict[str, object]:
        """Return the fields of every metric, and those of the modules that match words."""
        return {**super().header(), "stem": self.stem, "synonyms": self.synonyms}

    def with_header(self, header: Mapping[str, Any]) -> Meteor:
        """Return the metric of scored lists, which have its statistics: it needs no WordNet."""
        stem = header["stem"]
        synonyms = header["synonyms"]
        if not isinstance(stem, bool) or not isinstance(synonyms, str):
            raise ValueError("expected `stem` and `synonyms` of meteor, found others")
        return replace(self, stem=stem, synonyms=synonyms)

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return METEOR in percent, with all settings in its signature."""
        value = 100.0 * float(self.corpus_values(np.asarray(sums)[None])[0])
        texts = {"nrefs": self.n_refs, "case": self.case, "tok": self.tokenize}
        settings = dict(zip(SETTINGS, self.gain_settings, strict=True))
        version = {"version": f"campanula-{__version__}"}
        parts = {**texts, **self._words_matched_by(), **settings, **version}
        signature = tuple(f"{name}:{part}" for name, part in parts.items())
        return Report("METEOR", signature, value, f"{value:.{self.digits}f}")


def stem_numbers(words: Sequence[str], porter: bool) -> Ids:
    """Return the numbers (n_types,) of the stems of distinct words.

    porter: stems by Porter's algorithm; otherwise every word is its own stem.
    """
    from campanula.stages.metrics.porter import porter_stem

    if not porter:
        return np.arange(len(words), dtype=np.int32)
    number: dict[str, int] = {}
    return np.array([number.setdefault(porter_stem(w), len(number)) for w in words], np.int32)


def likeness(stem: Ids, n_of_refs: int) -> Bytes:
    """Return which module matches a word to a word of the references, (n_types, n_of_refs).

    stem (n_types,): numbers of stems.  The words of the references come first, so a word and itself
    are on the diagonal.
    """
    from campanula.stages.kernels.metrics import alignment

    kind = np.where(stem[:, None] == stem[None, :n_of_refs], alignment.STEM, alignment.FREE)
    np.fill_diagonal(kind, alignment.EXACT)
    return kind.astype(np.uint8)


_opening = threading.Lock()  # or several threads would read WordNet at once


@lru_cache(1)
def _read(folder: str) -> WordNet:
    from campanula.formats.text.wordnet import WordNet

    return WordNet.read(folder)


def wordnet_of(folder: str) -> WordNet:
    """Return the WordNet in a folder; it is read once."""
    with _opening:
        return _read(folder)


@lru_cache(1 << 16)
def synsets_of(folder: str, word: str) -> frozenset[tuple[str, int]]:
    """Return the synsets of a word and its base forms."""
    return wordnet_of(folder).synsets(word)
