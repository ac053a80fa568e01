"""Lists scored in forked processes; output, summary and warnings are those of one process.

A forked process scores the lists of its parts, packs them and counts them for the summary.  The
parent process matches the lists with the references, and writes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import msgpack

from campanula.formats.packed_records import PackedRecords, highest_id
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import matched
from campanula.formats.stream import Reader, Writer
from campanula.formats.text.references import References
from campanula.stages.command_line.text_flags import TextForm
from campanula.stages.metrics.likeness import Likeness
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scored_lists import with_references
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.summary import Summary
from campanula.stages.parallel.forked_lists import FIRST, Item, PackedLists, Share, Watch, in_parts


class ScoringShare(Share):
    """Scores lists and packs them; form: which texts are scored, source: the lists in errors."""

    def __init__(self, scorer: Scorer, form: TextForm, source: str) -> None:
        self._scorer = scorer
        self._form = form
        self._source = source
        self._packer = msgpack.Packer(autoreset=True)
        self._begin()

    def _begin(self) -> None:
        self._summary = Summary(self._scorer.metric)
        self._highest: list[int] = []
        self._texts: list[str] = []

    def work(self, kbest: KBest) -> bytes:
        """Return the list with statistics and gains, packed as a record of a stream."""
        shown = self._form.apply(kbest, self._source)
        stats, gain = self._scorer.numbers(shown)
        scored = replace(kbest, stats=stats, gain=gain)
        data: bytes = self._packer.pack(scored.pack(scored.names))
        # ids of an inventory are declared nowhere, so the output waits for no name of such a list
        self._highest.append(-1 if scored.names.of_inventory else highest_id(scored.used_ids))
        self._texts.append(shown.text[0])
        # last: a list that fails above is scored again by the parent, which then counts it
        self._summary.count_one(scored)
        return data

    def notes(self) -> Any:
        """Return the counts, and of each list its highest feature id and its first text."""
        notes = {"counts": self._summary.counts(), "highest": self._highest, "texts": self._texts}
        self._begin()
        return notes


@dataclass(frozen=True)
class ForkedScoring:
    """Scores the lists of a stream in `jobs` processes and writes them.

    likeness and summary take in the lists, in their order.
    """

    metric: Metric
    references: References
    form: TextForm
    jobs: int
    allow_missing: bool
    likeness: Likeness
    summary: Summary

    def write(self, lists: Reader[KBest], out: Writer[KBest], watch: Watch) -> None:
        """Score all lists; raises DataError as scoring one after another does.

        watch: yields the items behind a progress bar.
        """
        flow = _Flow(self, lists, out)
        items, references = matched(watch(flow.items()), self.references)
        flow.scorer = Scorer(self.metric, references)
        for item in with_references(items, lists.name, references, self.allow_missing):
            if isinstance(item, KBest):
                flow.score(item)


class _Flow:
    """The lists between reading and writing.

    scorer: set when `matched` has looked at the first lists to see whether references have ids.
    """

    scorer: Scorer

    def __init__(self, scoring: ForkedScoring, lists: Reader[KBest], out: Writer[KBest]) -> None:
        self._scoring = scoring
        self._lists = lists
        self._out = out
        self._waiting: deque[KBest] = deque()  # lists with their own texts, which are written

    def items(self) -> Iterator[Item]:
        """Yield an item for each list, and write the lists that processes have scored."""
        # `matched` looks at fewer lists than FIRST, so it has set the scorer before processes are
        # forked
        first = list(islice(self._lists, FIRST))
        yield from map(self._shown, first)
        for item in self._parts() if len(first) == FIRST else ():
            if isinstance(item, PackedLists):
                self._write(item)
            else:
                yield self._shown(item) if isinstance(item, KBest) else item

    def _parts(self) -> Iterator[Item | PackedLists]:
        scoring = self._scoring
        share = ScoringShare(self.scorer, scoring.form, self._lists.name)
        return in_parts(self._lists, share, scoring.jobs)

    def _shown(self, kbest: KBest) -> KBest:
        """Return a list with the texts that are scored."""
        # the text that is scored may be another field, or joined subwords; what is written is the
        # list
        shown = self._scoring.form.apply(kbest, self._lists.name)
        self._waiting.append(kbest)
        return shown

    def score(self, shown: KBest) -> None:
        """Score a list and write it."""
        scoring = self._scoring
        scoring.likeness.look(shown, shown.text[0], self.scorer.references)
        stats, gain = self.scorer.numbers(shown)
        scored = replace(self._waiting.popleft(), stats=stats, gain=gain)
        scoring.summary.count_one(scored)
        self._out.write(scored)

    def _write(self, packed: PackedLists) -> None:
        notes = packed.notes
        for passed, text in zip(packed.lists, notes["texts"], strict=True):
            self._scoring.likeness.look(passed, text, self.scorer.references)
        self._scoring.summary.add(notes["counts"])
        # the bytes go from the process to the file; unpacking them here would undo what forking
        # saves
        sids = [passed.sid for passed in packed.lists]
        self._out.write_packed(PackedRecords(sids, packed.data, packed.ends, notes["highest"]))
