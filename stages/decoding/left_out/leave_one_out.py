"""Options of training sentences, scored without the counts of their own sentence pair.

    p(f | e) = (N(f, e) - n(f, e)) / (N(e) - n(e)),  p(e | f) = (N(f, e) - n(f, e)) / (N(f) - n(f))

(leaving-one-out, Wuebker et al. 2010; 2015, section 5.2).  A block that no other pair yields gets a
fixed penalty probability for both; if that is 0, it is not used.  Lexical weights are the table's,
or those of the other pairs' links (kernels/bitext/left_lexical.py); so are reordering scores
(reordering.py) and language models (language_models.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.model.files import LanguageModelFile, ReorderingTable
from campanula.formats.model.model import Model
from campanula.formats.moses.phrase_table import LOG_FLOOR
from campanula.stages.decoding.left_out.language_models import LeftLanguageModels
from campanula.stages.decoding.left_out.own_counts import OwnCounts
from campanula.stages.decoding.left_out.own_options import OptionScores, OwnOptions
from campanula.stages.decoding.left_out.ranked_rows import RankedRows
from campanula.stages.decoding.left_out.relative_frequencies import (
    DIRECT,
    INVERSE,
    LEX,
    LEX_INVERSE,
    block_text,
    refuse_other_scores,
)
from campanula.stages.decoding.left_out.reordering import LeftReordering
from campanula.stages.decoding.left_out.training_links import training_links
from campanula.stages.decoding.left_out.training_text import Batch, TrainingText
from campanula.stages.decoding.option_store import Choices, OptionStore
from campanula.stages.kernels.records import ESTIMATED, PLAIN

if TYPE_CHECKING:
    from campanula.stages.kernels.bitext.left_records import Own

PHRASES = "phrases"
LEXICAL = "lexical"
REORDERING = "reordering"
LANGUAGE_MODELS = "lm"
PARTS = (LEXICAL, REORDERING, LANGUAGE_MODELS)
"""What can be computed without the sentence's own counts, beside relative frequencies."""

PENALTY = math.exp(-20.0)  # below any relative frequency that 10^8 occurrences leave


@dataclass(frozen=True)
class LeftOut:
    """The training text whose counts are left out, the name of the phrase table, the penalty.

    penalty: probability of a block that no other pair yields, 0 to use no such block; parts:
    members of PARTS that change, too; whole: for LEXICAL and LANGUAGE_MODELS, the text that the
    model was made of, None if that is `text`; cache: folder for its counts; reordering_tables: for
    REORDERING; lms: language models, for LANGUAGE_MODELS.
    """

    text: TrainingText
    table: str
    penalty: float = PENALTY
    parts: tuple[str, ...] = ()
    whole: TrainingText | None = None
    cache: str | None = None
    reordering_tables: tuple[ReorderingTable, ...] = ()
    lms: tuple[LanguageModelFile, ...] = ()

    def signature(self) -> dict[str, object]:
        """Return the entries of leave-one-out in the signature of lists."""
        leave_out = {"leave_out": ",".join((PHRASES, *self.parts))} if self.parts else {}
        return {"leave_one_out": self.penalty, **leave_out}


class LeaveOneOut:
    """Chooses the options of training sentences; each row of the table is stored once for all."""

    def __init__(self, model: Model, store: OptionStore, left_out: LeftOut) -> None:
        from campanula.stages.kernels.bitext import left_records as records

        lexical = LEXICAL in left_out.parts
        refuse_other_scores(model, left_out.table, lexical)
        self._model = model
        self._store = store
        self._left_out = left_out
        self._own_counts = OwnCounts(model, left_out.table, lexical)
        columns = [INVERSE, DIRECT, LEX_INVERSE, LEX] if lexical else [INVERSE, DIRECT]
        self.columns = np.array(columns)
        self.weight = store.row_weights.score[self.columns]
        links = records.NO_LINKS
        longest = self._own_counts.longest
        if lexical:
            whole = left_out.whole or left_out.text
            links = training_links(model, whole, left_out.table, longest, left_out.cache)
        self._counted = records.CountTable(
            model.row_start,
            model.count,
            model.score,
            np.pad(self.weight, (0, 4 - len(columns))),  # kernels take weights of four columns
            log_penalty(left_out.penalty),
            links,
            longest,
        )
        name = left_out.text.names()[1]
        self._reordering = None
        if REORDERING in left_out.parts:
            self._reordering = LeftReordering(model, left_out.reordering_tables, longest, name)
        self._lms = None
        if LANGUAGE_MODELS in left_out.parts:
            whole = left_out.whole or left_out.text
            self._lms = LeftLanguageModels(
                model, store.lm, left_out.lms, whole, name, left_out.cache
            )
        self._ranked = RankedRows(model, store)
        self._visits = 0
        self._number = np.zeros(
            len(model.score), np.int32
        )  # of a row's option, plus 1; 0: not stored yet

    def sentences(
        self, lines: Iterable[str], size: int
    ) -> Iterator[tuple[int, list[bytes], OwnOptions]]:
        """Yield number, words and options of every source line; `size` lines are done at a time."""
        for batch in self._left_out.text.batches(lines, size):
            options = self._options(batch)
            numbers = range(batch.first, batch.first + len(batch.source))
            yield from zip(numbers, batch.source, options, strict=True)

    def _options(self, batch: Batch) -> list[OwnOptions]:
        """Return the options of each sentence of a batch."""
        from campanula.stages.kernels.bitext import left_out

        nodes = self._store.nodes(batch.source)
        own, blocks = self._own_counts.count(batch, nodes)
        self._refuse_other_links(batch, own)
        self._ranked.rank(np.unique(own.node))
        # rows whose counts a sentence changes are merged into the order that they have without it
        start, best, fault = left_out.choose(
            own, self._counted, self._ranked.arrays, self._store.limit, self._visits
        )
        self._visits += len(own.node)  # each visit of a node has a number of its own
        if fault[0] >= 0:
            self._refuse(batch, nodes, own, fault)
        row = best.row[: start[-1]]
        reordering = None
        if self._reordering is not None:
            reordering = self._reordering.scores(batch, row, best.block[: start[-1]], blocks)
        scores = OptionScores(
            self._numbers(row), best.change[: start[-1], : len(self.columns)], reordering
        )
        lms = [None] * len(nodes) if self._lms is None else self._lms.without(batch)
        result = []
        for i, (words, node, lm) in enumerate(zip(batch.source, nodes, lms, strict=True)):
            span = slice(own.node_start[i], own.node_start[i + 1])  # nodes of sentence i
            chosen = slice(start[span.start], start[span.stop])
            place = start[span.start : span.stop + 1] - chosen.start  # from the sentence's first
            options = self._with_unknown(words, node, own.node[span], place, scores.subset(chosen))
            result.append(replace(options, lm=lm))
        return result

    def _with_unknown(
        self, words: list[bytes], node: Ints, met: Ints, start: Ints, scores: OptionScores
    ) -> OwnOptions:
        """Return the options of a sentence's spans; those of its nodes `met` begin at `start`."""
        # a span whose node is not among those with rows gets the place behind them, of size 0
        place = np.minimum(np.searchsorted(met, node), max(len(met) - 1, 0))
        size = np.append(np.diff(start), 0).astype(np.int32)
        at = np.where(np.append(met, 0)[place] == node, place, len(met))
        first = start[at].astype(np.int32)
        count = size[at]
        unknown = np.flatnonzero(count[:, 0] == 0)
        n_options = len(scores.number)
        first[unknown, 0] = n_options + np.arange(len(unknown))
        count[unknown, 0] = 1
        copies = [self._store.unknown_option(words[i]) for i in unknown.tolist()]
        number, change, reordering = scores.and_copies(np.array(copies, np.int64))
        return OwnOptions(first, count, number, change, self.columns, reordering)

    def _numbers(self, row: Ints) -> Ints:
        """Return the option numbers of rows; rows that are new are stored as options first."""
        new = np.unique(row[self._number[row] == 0])
        if len(new):
            # the last node that starts at a row or before it: nodes without rows start there, too
            node = np.searchsorted(self._model.row_start, new, side="right") - 1
            nodes, owner = np.unique(node, return_inverse=True)
            first = self._store.add_rows(new, nodes, owner.reshape(-1))
            self._number[new] = first + 1 + np.arange(len(new))
        return self._number[row].astype(np.int64) - 1

    def choices(self, own: OwnOptions) -> Choices:
        """Return what the search of a sentence chooses from: the store's options, rescored."""
        from campanula.stages.kernels.search import options as kernels

        store = self._store
        number = own.number
        options = store.options
        seams = store.seams(number)
        score = options.score[number]
        info = options.info[number]
        score[:, [PLAIN, ESTIMATED]] += (own.change @ self.weight)[:, None]
        if own.lm is not None:
            estimated = kernels.estimates(number, options, own.lm, store.row_weights)
            score[:, ESTIMATED] = score[:, PLAIN] + estimated
        if own.reordering is not None:
            change = own.reordering_change(self._model, info)
            store.reorder(score, info, change, own.reordering)
        if store.sparse is not None:
            seams = seams._replace(phrase=seams.phrase[number], context=seams.context[number])
        return Choices(options._replace(score=score, info=info), seams)

    def _refuse_other_links(self, batch: Batch, own: Own) -> None:
        """Raise DataError for a pair with links that the whole text does not have."""
        from campanula.stages.kernels.bitext import left_lexical

        if LEXICAL in self._left_out.parts:
            s = left_lexical.first_unfit(own.links, self._counted.links.words)
            if s >= 0:
                problem = "expected links that --leave-out-text has, too, found others"
                name = self._left_out.text.names()[1]
                raise DataError(name, f"line {batch.first + s + 1}", problem)

    def _refuse(self, batch: Batch, nodes: list[Ints], own: Own, fault: Ints) -> None:
        """Raise DataError for a pair with counts that do not fit the table (left_out.choose)."""
        i, row, *counts = fault.tolist()
        pair = int(np.searchsorted(own.node_start, i, side="right")) - 1
        if row >= 0:
            block = block_text(self._model, row)
            expected = f"at most the phrase table's counts {_text(self._model.count[row].tolist())}"
            problem = f"expected {expected}, found {_text(counts)} in this pair alone"
            if (np.array(counts) <= self._model.count[row]).all():
                problem = "expected links that --leave-out-text has in it, found others"
        else:  # the table has every block of this source phrase but this one
            rows = slice(*self._model.row_start[own.node[i] : own.node[i] + 2].tolist())
            keys = self._ranked.arrays.key[rows]
            block = self._own_counts.lacking(batch, pair, nodes[pair], own.node[i], keys)
            problem = "expected a row in the phrase table, found only those of its other targets"
        name = self._left_out.text.names()[1]
        place = f"line {batch.first + pair + 1}: block '{block}'"
        raise DataError(name, place, f"{problem}: table and text do not fit")


def log_penalty(penalty: float) -> float:
    """Return the log probability of a block that no other pair yields; -inf: it is not used."""
    return max(math.log(penalty), LOG_FLOOR) if penalty > 0.0 else -math.inf


def _text(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
