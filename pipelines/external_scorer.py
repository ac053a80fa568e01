"""Another program as the scorer of a loop: hypotheses and references out, a command, numbers in.

    {hypotheses}   a hypothesis a line: those of all lists, in order, each of a sentence once
    {references}   as many lines: the references of its sentence, with tabs between several
    {source}       as many lines: its source
    {gains}        a line for each, which the command writes; without it they are read from stdout

A line is one number, the gain, and the corpus value is the mean; or with --metric the statistics of
that metric, whole numbers in its order, of which gain and corpus value follow as usual.  A pair of
sentence and hypothesis is priced once in a work folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from campanula.formats.atomic import atomic_file, remove
from campanula.formats.collections.opening import open_lists
from campanula.formats.errors import DataError
from campanula.formats.files import Output, read_lines
from campanula.formats.records.kbest import KBest
from campanula.formats.text.numbers import finite_number
from campanula.formats.text.parts import TextLines
from campanula.pipelines.prices import Prices, pair_of
from campanula.pipelines.scorer import EmbeddedScorer, MetricSettings, score
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, PathOf, Product, StageTask, leaves, task_of
from campanula.stages import command
from campanula.stages.command import UsageError
from campanula.stages.command_line.external_command import Command
from campanula.stages.metrics.table import metric_named

FLAG = "--score-command"
PLACEHOLDERS = ("hypotheses", "references", "source", "gains")


@dataclass(frozen=True, slots=True)
class ExternalScorer:
    """A command that scores hypotheses: by statistics of a metric of texts, else by gains.

    limits: its numbers that become gain 0 and gain 1; timeout: seconds, or 0 for none.
    """

    command: Command
    metric: MetricSettings
    limits: tuple[float, ...] = ()
    timeout: float = 0.0
    jobs: int = 1

    @classmethod
    def of(
        cls,
        line: str,
        shell: bool,
        metric: MetricSettings,
        limits: tuple[float, ...],
        timeout: float,
        jobs: int,
    ) -> ExternalScorer:
        """Scorer of a command line; raises UsageError for unknown placeholders or misfit flags."""
        command = Command.of(FLAG, line, shell, PLACEHOLDERS, ("hypotheses",))
        # numbers of another program are gains already: these flags would have no effect
        if not metric.compares_texts and metric != MetricSettings(metric.metric):
            raise UsageError("--gain, --smooth-value, --tokenize and --lowercase go with --metric")
        return cls(command, metric, limits, timeout, jobs)

    @property
    def width(self) -> int | None:
        """Number of statistics in a line of output; None where a line is a gain."""
        if not self.metric.compares_texts:
            return None
        return metric_named(self.metric.metric).width

    @property
    def title(self) -> str:
        """The metric's name."""
        return "MEAN GAIN" if self.width is None else EmbeddedScorer(self.metric).title

    @property
    def higher_is_better(self) -> bool:
        """Whether a good system has a high corpus value."""
        return EmbeddedScorer(self.metric).higher_is_better

    def scored(
        self, cache: Cache, lists: Product, source: Leaf, refs: tuple[Leaf, ...]
    ) -> StageTask:
        """Task that adds statistics and gains to lists."""
        texts = PricedTexts(source, refs)
        prices = task_of(cache, CommandRun(self, lists, texts, leaves(cache, self.command.files())))
        flags = self.metric.arguments(cache)
        if self.width is not None:
            return score(cache, lists, refs, [*flags, "--statistics", prices], self.jobs)
        limits = ["--gain-range", *map(repr, self.limits)] if self.limits else []
        return score(cache, lists, (), [*flags, "--column", prices, *limits], self.jobs)


@dataclass(frozen=True, slots=True)
class PricedTexts:
    """Source and references that hypotheses are scored against."""

    source: Leaf
    refs: tuple[Leaf, ...]

    def lines(self, name: str) -> list[str]:
        """A line for each sentence of the file for a placeholder, `source` or `references`."""
        if name == "source":
            return list(TextLines(self.source.path))
        columns = [list(TextLines(ref.path)) for ref in self.refs]
        if len(columns) == 1:
            return columns[0]
        # tabs stand between references, so a tab within one becomes a blank
        return ["\t".join(r.replace("\t", " ") for r in row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A run of the command on those hypotheses of some lists whose numbers are not known yet."""

    scorer: ExternalScorer
    lists: Product
    texts: PricedTexts
    files: Mapping[str, Leaf]

    command = "score-command"
    suffixes = (".numbers",)

    @property
    def inputs(self) -> list[Product]:
        """Lists, and the texts that the command reads."""
        return [self.lists, self.texts.source, *self.texts.refs]

    def identity(self) -> object:
        """The lists, and everything that determines the numbers of a hypothesis."""
        return [self.lists.digest, self._price_identity()]

    def _price_identity(self) -> object:
        """What determines a hypothesis's numbers: the command, its files, the texts it reads."""
        command = self.scorer.command
        texts = [self.texts.source.digest] if command.uses("source") else []
        texts += [ref.digest for ref in self.texts.refs] if command.uses("references") else []
        files = {name: leaf.digest for name, leaf in self.files.items()}
        return [command.line, command.shell, self.scorer.width, texts, files]

    def __str__(self) -> str:
        return f"{os.path.basename(self.lists.path)}: {self.scorer.command.line}"

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Run the command on new hypotheses, and write the numbers of all hypotheses."""
        for name in PLACEHOLDERS:  # files that a killed run may have left
            remove(path_of(f".{name}"))
        # one file for all iterations: most hypotheses come back, and are priced once
        path = os.path.join(cache.folder, f"prices-{digest.of(self._price_identity())}.tsv")
        with Prices(path, command.complain) as prices:
            new = self._new(prices)
            if new:
                prices.add(dict(zip(new, self._priced(list(new.values()), path_of), strict=True)))
            with Output(path_of(".numbers")) as out:
                # the lists are read again: all of their texts may not fit in memory
                for pair, _ in self._pairs():
                    out.write_line(prices[pair])

    def _pairs(self) -> Iterator[tuple[str, tuple[int, str]]]:
        """Yield for every hypothesis its key (pair_of), and its sentence and text.

        Raises DataError for a text with a line end.
        """
        with open_lists(self.lists.path, KBest, by_shard=True) as lists:
            for kbest in lists:
                for text in kbest.text:
                    if "\n" in text:
                        problem = "expected one line of text, found a line end in it"
                        raise DataError(self.lists.path, f"sentence {kbest.sid}", problem)
                    yield pair_of(kbest.sid, text), (kbest.sid, text)

    def _new(self, prices: Prices) -> dict[str, tuple[int, str]]:
        """Hypotheses without numbers, each once, by key: sentence and text."""
        return {pair: what for pair, what in self._pairs() if pair not in prices}

    def _priced(self, asked: list[tuple[int, str]], path_of: PathOf) -> list[str]:
        """Run the command on hypotheses (sentence, text); return their numbers, a line each.

        The command's input files are removed after good numbers, and stay for the user otherwise.
        """
        command = self.scorer.command
        columns = {"hypotheses": [text for _, text in asked]}
        for name in ("references", "source"):
            if command.uses(name):
                lines = self.texts.lines(name)
                columns[name] = [lines[sid] for sid, _ in asked]
        values = {name: os.path.abspath(path_of(f".{name}")) for name in columns}
        for name, column in columns.items():
            with Output(values[name]) as out:
                for line in column:
                    out.write_line(line)
        gains = path_of(".gains")
        timeout = self.scorer.timeout or None
        with atomic_file(gains) as unfinished:
            command.make("gains", unfinished, values, path_of(".stderr"), timeout)
        numbers = numbers_of(gains, len(asked), self.scorer.width)
        for path in (gains, *values.values()):
            os.unlink(path)
        return numbers


def numbers_of(path: str, expected: int, width: int | None) -> list[str]:
    """Lines of a file, each a finite number or `width` whole numbers; raises DataError."""
    lines = list(read_lines(path))
    if len(lines) != expected:
        problem = f"expected {expected} lines, one for each hypothesis, found {len(lines)}"
        raise DataError(path, None, problem)
    for number, line in enumerate(lines, 1):
        try:
            _check(line, width)
        except ValueError as error:
            raise DataError(path, f"line {number}", str(error)) from error
    # without tabs, which separate the columns of the file of prices
    return [" ".join(line.split()) for line in lines]


def _check(line: str, width: int | None) -> None:
    """Raise ValueError for a line that is not a number, or not `width` whole numbers."""
    if width is None:
        finite_number(line.strip())
        return
    parts = line.split()
    # isascii: isdigit alone is true of superscripts and of the digits of other scripts
    if len(parts) != width or not all(part.isascii() and part.isdigit() for part in parts):
        found = " ".join(parts[: width + 1]) or "an empty line"
        raise ValueError(f"expected {width} statistics, whole numbers, found {found}")
