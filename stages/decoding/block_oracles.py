"""Oracle block sequences: a compiled model and references in, k-best lists out.

The search uses no weights, and every block of the table.  Its block sequences are written with the
decoder's features, dense and sparse, and with the fields of block_fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.model.model import Model
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages.decoding.block_features import AskedFeatures
from campanula.stages.decoding.block_records import NONE_ASKED, BlockRecords, BlockSequences
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.left_out.leave_one_out import LeaveOneOut, LeftOut
from campanula.stages.decoding.source_sentences import SourceSentence, source_sentences
from campanula.stages.kernels.records import END, OPTION, START
from campanula.stages.metrics.sentence import Units
from campanula.stages.parallel.threads import in_threads

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Graph

# Worth of a match of 1 to 4 words and cost of a word in the estimate of the future; by trial.
MATCH_WORTH = (1.0, 1.4, 2.0, 3.0)
WORD_COST = 2.0
WEIGHT = np.array([*np.cumsum([0.0, *MATCH_WORTH]), WORD_COST])


@dataclass(frozen=True)
class OracleSettings:
    """How many block sequences to find and how; `oracle-search --help` explains each setting."""

    n: int = 5
    distinct: bool = False
    swap: bool = True
    beam: int = 20


class OracleSearch:
    """Finds the block sequences of highest BLEU+1, from one model's blocks.

    on: dense features to write, None for `model.feature_names()`; seed: of the bags; sparse: sparse
    features to write; inventory: lists have its ids; left_out: the lines are the source of this
    training text, each searched without its own counts.
    """

    def __init__(
        self,
        model: Model,
        references: References,
        settings: OracleSettings,
        on: Iterable[str] | None = None,
        seed: int = 0,
        sparse: AskedFeatures = NONE_ASKED,
        inventory: IndexedInventory | None = None,
        left_out: LeftOut | None = None,
    ) -> None:
        self._records = BlockRecords(model, references, on, sparse, inventory)
        self._leave_one_out = None
        if left_out is not None:
            self._leave_one_out = LeaveOneOut(model, self._records.options, left_out)
        self.metric = self._records.metric
        self._model = model
        self._references = references
        self._settings = settings
        self._seed = seed
        self._reference_blob = np.frombuffer(references.text.blob, np.uint8)

    def truth(self, lines: Iterable[str], source: str, jobs: int = 1) -> Iterator[KBest]:
        """Yield V_n of every line, highest gain first; the same for any number of jobs.

        source: name of the text in messages.  Raises DataError for more or fewer lines than the
        references have.
        """
        sequences = in_threads(self._truth, self._sentences(lines, source), jobs)
        return map(self._records.record, sequences)

    def bags(self, lines: Iterable[str], source: str, jobs: int = 1) -> Iterator[KBest]:
        """Yield the bag of blocks z_0 of every line: for each span that has blocks, a random one.

        It has features of blocks and words alone; dense features are 0 (Tillmann and Zhang, section
        IV).  source and errors as in `truth`.
        """
        bags = in_threads(self._bag, self._sentences(lines, source), jobs)
        return map(self._records.record, bags)

    def _sentences(self, lines: Iterable[str], source: str) -> Iterator[SourceSentence]:
        sid = -1
        store = self._records.options
        for sentence in source_sentences(lines, self._model, store, self._leave_one_out):
            sid = sentence.sid
            if sid >= len(self._references):
                raise self._mismatch(source, f"more than {sid}")
            yield sentence
        if sid + 1 < len(self._references):
            raise self._mismatch(source, str(sid + 1))

    def _mismatch(self, source: str, lines: str) -> DataError:
        expected = f"{len(self._references)} lines, as {self._references.names[0]} has"
        return DataError(source, None, f"expected {expected}, found {lines}")

    def _truth(self, sentence: SourceSentence) -> BlockSequences:
        from campanula.stages.kernels.graph.kbest import kbest

        if not len(sentence.first):
            return self._records.empty(sentence)
        store = self._records.options
        settings = self._settings
        graph = self._graph(sentence)
        paths = kbest(graph, store.options.info, store.word, settings.n, settings.distinct)
        return self._records.sequences(sentence, paths, graph.link)

    def _graph(self, sentence: SourceSentence) -> Graph:
        """Return the block sequences of highest gain, as a search graph."""
        from campanula.stages.kernels.oracle.classes import classes_of
        from campanula.stages.kernels.oracle.records import Limits
        from campanula.stages.kernels.oracle.search import search, task_of

        _, option = expand(sentence.first.ravel(), sentence.count.ravel())
        option = sentence.in_store(option)
        units = self._units(sentence.sid, option)
        classes = classes_of(sentence.count, option.astype(np.int32), units.hyp, units.hyp_end)
        settings = self._settings
        limits = Limits(settings.swap, settings.beam, settings.n)
        return search(task_of(classes, units.ref, units.ref_end, units.n_types, WEIGHT, limits))

    def _units(self, sid: int, option: Ints) -> Units:
        """Return the words of options and of a sentence's references, with common numbers."""
        from campanula.stages.kernels.graph.paths import Paths
        from campanula.stages.kernels.metrics import tokens

        link = np.zeros((len(option), 5), np.int32)
        link[:, OPTION] = option
        # each option as a path of its own, so that the texts are those of its words
        alone = Paths(np.arange(len(option) + 1), np.arange(len(option)))
        text = self._records.texts(alone, link)
        n_refs = self.metric.n_refs
        refs = self._references.text.pointer[sid * n_refs : (sid + 1) * n_refs + 1]
        blob = np.frombuffer(text.blob, np.uint8)
        return Units(*tokens.number(blob, text.pointer, self._reference_blob, refs, tokens.WORDS))

    def _bag(self, sentence: SourceSentence) -> BlockSequences:
        start, length = np.nonzero(sentence.count)
        if not len(start):
            return self._records.bag(sentence, np.zeros((0, 5), np.int32))
        # seeded by sentence, so that a bag is the same in any thread
        rng = np.random.default_rng([self._seed, sentence.sid])
        chosen = rng.integers(sentence.count[start, length])
        link = np.zeros((len(start), 5), np.int32)
        link[:, OPTION] = sentence.in_store(sentence.first[start, length] + chosen)
        link[:, START] = start
        link[:, END] = start + length + 1
        return self._records.bag(sentence, link)
