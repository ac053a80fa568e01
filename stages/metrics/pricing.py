"""The ways to score lists: by references, by numbers of another program, or by its statistics.

Each is a function of settings and opened lists that returns a Pricing: what yields the scored
lists, and the signature that they get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from campanula.formats.collections.opening import OpenedLists
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.command_line.text_flags import AS_IT_IS, TextForm
from campanula.stages.metrics.flags import MetricFlags
from campanula.stages.metrics.gain_column import ListNumbers, column_gains
from campanula.stages.metrics.given_statistics import GivenStatistics
from campanula.stages.metrics.likeness import Likeness
from campanula.stages.metrics.scored_lists import with_references
from campanula.stages.metrics.scoring import Scorer

COMMAND = "score-bleu"

Price: TypeAlias = Callable[[Iterable[KBest]], Iterator[KBest]]


class Pricing(NamedTuple):
    """The scoring of lists.

    price: yields lists with statistics and gains.  signature: that of the scored lists.
    likeness: compares texts with the references, None for numbers.  references: those of a scoring
    that may be done shard by shard, else None.
    """

    price: Price
    signature: str
    likeness: Likeness | None = None
    references: References | None = None

    def watched(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Return the scored lists; their texts are compared with the references on the way."""
        return self.price(lists if self.likeness is None else self.likeness.watch(lists))

    def warning(self) -> str | None:
        """Return how the texts differ in kind from the references, or None."""
        return None if self.likeness is None else self.likeness.warning()


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The metric with its files, whether references may lack a list, threads.

    statistics is a file with those of another program, or None; text says which texts count.
    """

    metric: MetricFlags
    statistics: str | None = None
    allow_missing: bool = False
    jobs: int = 1
    text: TextForm = AS_IT_IS

    def signature(self, lists: OpenedLists[KBest], **checksums: str) -> str:
        """Return the signature of scored lists; checksums: those of the files that were read."""
        settings = {**self.metric.metric.fields(), **self.text.signature()}
        return command.signature(COMMAND, lists.signature, **settings, **checksums)


def _references(settings: ScoreSettings, lists: OpenedLists[KBest]) -> References:
    """Return the references; raises DataError for parts that are not the shards of the lists."""
    references = References.read(settings.metric.refs)
    if isinstance(lists, CollectionReader):
        references.refuse_other_shards(lists.spans, lists.name)
    return references


def by_references(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by references."""
    metric = settings.metric.metric
    references = _references(settings, lists)
    price = partial(
        Scorer(metric, references).score,
        allow_missing=settings.allow_missing,
        jobs=settings.jobs,
        source=lists.name,
    )
    signature = settings.signature(lists, references=references.digest())
    return Pricing(price, signature, Likeness(references, metric), references)


def by_column(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by the numbers of another program."""
    metric = settings.metric.metric
    column = ListNumbers(settings.metric.column, settings.metric.field, lists.name)

    def price(records: Iterable[KBest]) -> Iterator[KBest]:
        yield from column_gains(records, column, lists.name, metric.gain_settings)
        # only after the last list is it known whether numbers are left over
        column.finish()

    signature = settings.signature(lists, numbers=column.digest())
    return Pricing(price, signature)


def by_statistics(settings: ScoreSettings, lists: OpenedLists[KBest]) -> Pricing:
    """Return the scoring of lists by the statistics of another program."""
    metric = settings.metric.metric
    references = _references(settings, lists)
    given = GivenStatistics.read(str(settings.statistics), metric)

    def price(records: Iterable[KBest]) -> Iterator[KBest]:
        joined = with_references(records, lists.name, references, settings.allow_missing)
        yield from given.score(joined)

    checksums = {"references": references.digest(), "statistics": given.digest()}
    signature = settings.signature(lists, **checksums)
    return Pricing(price, signature, Likeness(references, metric))


def way_to_score(settings: ScoreSettings) -> Callable[[ScoreSettings, OpenedLists[KBest]], Pricing]:
    """Return the function (settings, lists) that makes the scoring of lists.

    Raises UsageError for flags of texts or statistics beside a metric that compares no texts.
    """
    compares = settings.metric.metric.compares_texts
    if not compares and settings.text != AS_IT_IS:
        raise command.UsageError("--text-field and --remove-subwords go with metrics of texts")
    if settings.statistics is None:
        return by_references if compares else by_column
    if not compares:
        raise command.UsageError("--statistics goes with a metric that compares texts")
    return by_statistics
