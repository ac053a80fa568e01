"""Oracle block sequences of sentences: a compiled model's blocks, references; k-best lists out.

The search knows no weights: it takes every block of the table.  What it finds is written with the
decoder's features and with two fields,

    segmentation   `2-3=0-1 0-1=2-4`: source and target words of each block in target order, as
                   Moses writes them; no target words are written as `k-j` with j = k - 1
    orientation    `N L R`: where each block stands relative to the one before it: right of it
                   without a gap (R), left of it without a gap (L), elsewhere (N)
                                                              (Tillmann and Zhang, section II)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.model.model import Model
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.decoding.decoder import BATCH
from campanula.stages.decoding.dense_values import NO_LOGS, derivation_values
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.records import END, LENGTH, OPTION, START, WORDS, first_reordering
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.threads import in_order

if TYPE_CHECKING:
    from campanula.stages.kernels.oracle.records import Classes
    from campanula.stages.kernels.records import Graph

EVERYTHING = 1 << 40  # more blocks than any source phrase has, more nodes than any stack has
# Worth of a match of 1 to 4 words and cost of a word, where the search looks ahead; by trial.
MATCH_WORTH, WORD_COST = (1.0, 1.4, 2.0, 3.0), 2.0


@dataclass(frozen=True)
class OracleSettings:
    """How many block sequences to find and how; the command's help says what each means."""

    n: int = 5
    distinct: bool = False
    swap: bool = True
    beam: int = 20


@dataclass(frozen=True)
class Sentence:
    """First option and number of options of each span (n, longest), by start and length - 1.

    `jump_row` (n + 1,) are rows of the distortion table, if there is one, of its start and words.
    """

    sid: int
    first: Ids
    count: Ids
    jump_row: Ints | None = None


class OracleSearch:
    """Finds the block sequences of highest BLEU+1, with one model's blocks and some references.

    `on` are the features to write, None for `model.feature_names()`.
    """

    def __init__(
        self,
        model: Model,
        references: References,
        settings: OracleSettings,
        on: Iterable[str] | None = None,
        seed: int = 0,
    ) -> None:
        self.metric = Bleu(n_refs=references.n_refs)
        self.names = Names()
        self._model, self._references, self._settings = model, references, settings
        self._seed = seed
        self._scorer = Scorer(self.metric, references)
        features = model.all_features()
        every = model.feature_names() if on is None else set(on)
        written = [name for name in features if name in every]
        self._column = np.array([features.index(name) for name in written], dtype=np.int64)
        self._feature_id = np.array([self.names.id(name) for name in written], dtype=np.int32)
        self._n_values = len(features) + (model.lm is None)
        self._options = OptionStore(model, np.zeros(self._n_values), EVERYTHING)
        self._blob = np.frombuffer(references.text.blob, np.uint8)
        worth = np.cumsum([0.0, *MATCH_WORTH])
        self._weight = np.append(worth, WORD_COST)

    def truth(self, lines: Iterable[str], source: str, jobs: int = 1) -> Iterator[KBest]:
        """Yield V_n of every line, highest gain first; the same for any number of jobs."""
        yield from in_order(self._truth, self._sentences(lines, source), jobs)

    def bags(self, lines: Iterable[str], source: str, jobs: int = 1) -> Iterator[KBest]:
        """Yield the bag of blocks z_0 of every line: for each span that has blocks, a random one.

        Its order and neighbours mean nothing, so features that depend on them are 0
        (Tillmann and Zhang, section IV).
        """
        yield from in_order(self._bag, self._sentences(lines, source), jobs)

    def _sentences(self, lines: Iterable[str], source: str) -> Iterator[Sentence]:
        numbered, sid = enumerate(lines), -1
        while batch := list(islice(numbered, BATCH)):
            texts = [words_of(line.encode()) for _, line in batch]
            spans = self._options.spans(texts)
            for (sid, _), words, (first, count) in zip(batch, texts, spans, strict=True):
                if sid >= len(self._references):
                    raise self._mismatch(source, f"more than {sid}")
                yield Sentence(sid, first, count, jump_row=self._model.jump_rows(words))
        if sid + 1 < len(self._references):
            raise self._mismatch(source, str(sid + 1))

    def _mismatch(self, source: str, found: str) -> DataError:
        expected = f"{len(self._references)} lines, as {self._references.names[0]} has"
        return DataError(source, None, f"expected {expected}, found {found}")

    def _truth(self, sentence: Sentence) -> KBest:
        from campanula.stages.kernels.graph import kbest as search_kbest

        if not len(sentence.first):
            return self._empty(sentence.sid)
        store, settings = self._options, self._settings
        graph = self._search(sentence)
        info = store.options.info
        offset, arc = search_kbest.kbest(graph, info, store.word, settings.n, settings.distinct)
        value = self._values(sentence, offset, graph, arc)
        record = self._record(sentence.sid, self._texts(offset, arc, graph.link), value)
        return self._scored(replace(record, fields=fields_of(offset, arc, graph.link, info)))

    def _values(self, sentence: Sentence, offset: Ints, graph: Graph, arc: Ints) -> Floats:
        """Features of derivations, whose steps are arcs that others' steps may be, too."""
        from campanula.stages.kernels.graph import values
        from campanula.stages.kernels.oracle import search as oracle
        from campanula.stages.kernels.search import jumps as search_jumps

        store, model = self._options, self._model
        info, link = store.options.info, graph.link[arc]
        said, logs = np.zeros((len(arc), 2)), NO_LOGS
        if model.lm is not None:
            option = link[:, OPTION].astype(np.int64)
            words = oracle.lm_logs(offset, option, info, store.options.lm_word, store.lm)
            said = np.concatenate([said[:, :1], words], axis=1)
        if sentence.jump_row is not None:
            logs = search_jumps.jump_logs(sentence.jump_row, model.distortion)
        step, steps = np.arange(len(arc)), graph._replace(link=link, arc_value=said)
        own = values.feature_values(offset, step, steps, info, model.score, model.reordering)
        return np.concatenate([own, derivation_values(offset, step, steps, logs)], axis=1)

    def _search(self, sentence: Sentence) -> Graph:
        from campanula.stages.kernels.metrics import reference_trie
        from campanula.stages.kernels.oracle import (
            ngrams as oracle_ngrams,
        )
        from campanula.stages.kernels.oracle import (
            search as oracle,
        )
        from campanula.stages.kernels.oracle import (
            tails as oracle_tails,
        )
        from campanula.stages.kernels.oracle.records import Limits, Task

        classes, (_, _, ref, ref_end, n_types) = self._classes(sentence)
        n = len(sentence.first)
        trie = reference_trie.reference_trie(ref, ref_end, n_types, reference_trie.BLEU_ORDER)
        ngrams = oracle_ngrams.ngrams_of(trie)
        tails = oracle_tails.tails(n, classes, ngrams, n_types, self._weight)
        longest = oracle_ngrams.longest_translation(n, classes)
        brevity = oracle_ngrams.brevity_powers(ref_end, longest)
        settings = self._settings
        limits = Limits(settings.swap, settings.beam, settings.n)
        return oracle.search(Task(classes, ngrams, tails, brevity, limits))

    def _classes(self, sentence: Sentence) -> tuple[Classes, tuple[Ids, Ints, Ids, Ints, int]]:
        """Classes of the sentence's options, and their types beside the references' (tokens)."""
        from campanula.stages.kernels.metrics import tokens
        from campanula.stages.kernels.oracle import classes as oracle_classes

        count = sentence.count.ravel().astype(np.int64)
        option = np.repeat(sentence.first.ravel() - np.cumsum(count) + count, count)
        option += np.arange(len(option))
        link = np.zeros((len(option), 5), np.int32)
        link[:, OPTION] = option
        place = np.arange(len(option) + 1)
        text = self._texts(place, place[:-1], link)
        n_refs = self.metric.n_refs
        refs = self._references.text.pointer[
            sentence.sid * n_refs : (sentence.sid + 1) * n_refs + 1
        ]
        blob = np.frombuffer(text.blob, np.uint8)
        numbered = tokens.number(blob, text.pointer, self._blob, refs, tokens.WORDS)
        word, end = numbered[:2]
        return oracle_classes.classes_of(
            sentence.count, option.astype(np.int32), word, end
        ), numbered

    def _texts(self, offset: Ints, arc: Ints, link: Ids) -> Texts:
        from campanula.stages.kernels.graph import kbest as search_kbest

        store, target = self._options, self._model.target
        text, pointer = search_kbest.texts(
            offset,
            arc,
            link,
            store.options.info,
            store.word,
            target.blob,
            target.offset,
            *store.extra,
        )
        return Texts(text.tobytes(), pointer)

    def _record(self, sid: int, text: Texts, value: NDArray[np.float64]) -> KBest:
        if self._model.lm is None:
            value = value[:, 1:]
        dense = np.ascontiguousarray(value[:, self._column].T)
        return KBest(sid, text, Features.of_dense(self._feature_id, dense), self.names)

    def _scored(self, record: KBest) -> KBest:
        """The record with statistics and gains, in the order of those gains."""
        record = self._scorer(record)
        assert record.gain is not None
        order = np.argsort(-record.gain, kind="stable")
        return record if (np.diff(order) > 0).all() else record.take(order)

    def _empty(self, sid: int) -> KBest:
        """The one block sequence of an empty sentence, which has no block."""
        from campanula.stages.kernels.search import options as search_options

        value = np.zeros((1, self._n_values))
        if self._model.lm is not None:
            value[0, [0, -2]] = search_options.end_log(self._options.lm)  # LM0, LMFirst0
        nothing = Texts(b"", np.zeros(2, dtype=np.int64))
        record = self._record(sid, nothing, value)
        return self._scored(
            replace(record, fields={"segmentation": nothing, "orientation": nothing})
        )

    def _bag(self, sentence: Sentence) -> KBest:
        from campanula.stages.kernels.graph import values
        from campanula.stages.kernels.records import Graph

        start, length = np.nonzero(sentence.count)
        if not len(start):
            return self._empty(sentence.sid)
        rng = np.random.default_rng([self._seed, sentence.sid])
        chosen = rng.integers(sentence.count[start, length])
        link = np.zeros((len(start), 5), np.int32)
        link[:, OPTION] = sentence.first[start, length] + chosen
        link[:, START], link[:, END] = start, start + length + 1
        offset, arc = np.array([0, len(start)]), np.arange(len(start))
        graph = Graph(np.zeros(2), np.zeros(2, np.int32), link, np.zeros((len(start), 2)))
        info = self._options.options.info
        own = values.feature_values(
            offset, arc, graph, info, self._model.score, self._model.reordering
        )
        value, alone = np.zeros((1, self._n_values)), first_reordering(self._model.score.shape[1])
        value[:, WORDS:alone] = own[:, WORDS:alone]
        record = self._record(sentence.sid, self._texts(offset, arc, link), value)
        fields = fields_of(offset, arc, link, info)
        fields["orientation"] = Texts.of([""])
        return self._scored(replace(record, fields=fields))


def fields_of(offset: Ints, arc: Ints, link: Ids, info: Ids) -> dict[str, Texts]:
    """Segmentation and orientation of block sequences: step s is arc[s], offset (n + 1,)."""
    spans, sides = [], []
    for begin, end in zip(offset[:-1].tolist(), offset[1:].tolist(), strict=True):
        rows = link[arc[begin:end]]
        blocks = list(
            zip(
                rows[:, START].tolist(),
                rows[:, END].tolist(),
                info[rows[:, OPTION], LENGTH].tolist(),
                strict=True,
            )
        )
        spans.append(segmentation(blocks))
        sides.append(orientation(blocks))
    return {"segmentation": Texts.of(spans), "orientation": Texts.of(sides)}


def segmentation(blocks: list[tuple[int, int, int]]) -> str:
    """Moses's form of blocks (start, end, target words) in target order."""
    parts, place = [], 0
    for start, end, words in blocks:
        parts.append(f"{_range(start, end)}={_range(place, place + words)}")
        place += words
    return " ".join(parts)


def _range(start: int, end: int) -> str:
    if start == end:
        start = max(start, 1)
        return f"{start}-{start - 1}"
    return str(start) if end == start + 1 else f"{start}-{end - 1}"


def orientation(blocks: list[tuple[int, int, int]]) -> str:
    """R, L or N of blocks (start, end, target words) in target order."""
    sides, before = [], (-1, 0)  # the sentence's boundary is left of its first word
    for start, end, _ in blocks:
        sides.append("R" if start == before[1] else "L" if end == before[0] else "N")
        before = (start, end)
    return " ".join(sides)
