"""How the outputs of systems are scored: by metrics of texts, by files of numbers, by a command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from campanula.formats.errors import DataError
from campanula.formats.text.form_differences import FormCounts, form_difference
from campanula.formats.text.parts import TextLines
from campanula.formats.text.references import References
from campanula.formats.text.subwords import JOINERS
from campanula.stages.comparing.numbers import metric_of_numbers, read_columns, scored_numbers
from campanula.stages.comparing.score_command import ScoreCommand
from campanula.stages.comparing.scored_outputs import ScoredOutputs, Watch, no_watch
from campanula.stages.comparing.systems import System
from campanula.stages.metrics.metric import TOKENIZE, Metric

NUMBERS = "gain-column"


@dataclass(frozen=True, slots=True)
class Scoring:
    """The ways in which outputs are scored: metrics of texts, files of numbers, a command.

    columns: files of numbers, one for each file of outputs; None if the systems' own files have
    numbers instead of texts.  source: path of the source for the command.  lower_is_better: of all
    numbers.
    """

    metrics: Sequence[Metric] = ()
    columns: Sequence[str] | None = ()
    command: ScoreCommand | None = None
    source: str | None = None
    lower_is_better: bool = False
    jobs: int = 1

    def of_numbers(self, systems: Sequence[System]) -> Iterator[ScoredOutputs]:
        """Yield the systems under the numbers that stand in their files."""
        paths = [path for system in systems for path in system.paths]
        metric = metric_of_numbers(NUMBERS, self.lower_is_better)
        yield scored_numbers(metric, read_columns(paths, None, ""))

    def of_texts(
        self, texts: OutputTexts, references: References, watch: Watch = no_watch
    ) -> Iterator[ScoredOutputs]:
        """Yield the systems under every metric.

        Raises DataError for numbers or a source that are not as many as the references.
        """
        files = texts.files
        for metric in self.metrics:
            with_refs = replace(metric, n_refs=references.n_refs)
            yield ScoredOutputs.of_texts(with_refs, files, references, self.jobs, watch)
        if self.columns:
            columns = read_columns(self.columns, len(references), references.names[0])
            metric = metric_of_numbers(NUMBERS, self.lower_is_better)
            yield scored_numbers(metric, columns)
        if self.command is not None:
            yield self._by_command(self.command, files, references, watch)

    def _by_command(
        self,
        command: ScoreCommand,
        files: Sequence[Sequence[str]],
        references: References,
        watch: Watch,
    ) -> ScoredOutputs:
        source = list(TextLines(self.source)) if self.source else []
        if self.source and len(source) != len(references):
            problem = f"expected {len(references)} lines, as {references.names[0]} has"
            raise DataError(self.source, None, f"{problem}, found {len(source)}")
        watched = watch(files, "score-command", len(files))
        columns = [command.numbers(lines, references, source) for lines in watched]
        return scored_numbers(metric_of_numbers("score-command", self.lower_is_better), columns)


@dataclass(frozen=True, slots=True)
class OutputTexts:
    """Outputs by system: for each of its files the texts of all sentences."""

    lines: Mapping[str, Sequence[Sequence[str]]]

    @classmethod
    def read(
        cls,
        systems: Sequence[System],
        references: References,
        subwords: str | None = None,
        by_ids: bool = False,
    ) -> OutputTexts:
        """Read the files; raises DataError for one that is not as long as the references.

        subwords: kind of subwords to join, or None.  by_ids: lines are `id text`.
        """
        lines = {system.name: system.outputs(references, by_ids) for system in systems}
        if subwords is not None:
            join = JOINERS[subwords]
            lines = {n: [list(map(join, file)) for file in files] for n, files in lines.items()}
        return cls(lines)

    @property
    def files(self) -> list[Sequence[str]]:
        """All files, those of one system after another."""
        return [lines for files in self.lines.values() for lines in files]

    def firsts(self) -> dict[str, Sequence[str]]:
        """Return every system's first file."""
        return {name: files[0] for name, files in self.lines.items()}

    def unlike(self, references: References, metrics: Sequence[Metric]) -> str | None:
        """Return how a system's texts differ in kind from the references, where a metric counts it.

        The first such system is named; None where there is none.
        """
        case = any(not metric.lowercase for metric in metrics)
        tokens = any(TOKENIZE in metric.takes and metric.tokenize == "none" for metric in metrics)
        expected = FormCounts.of(references.texts(sid)[0] for sid in range(len(references)))
        for name, lines in self.firsts().items():
            difference = form_difference(FormCounts.of(lines), expected, case=case, tokens=tokens)
            if difference is not None:
                return f"{name}: {difference}"
        return None
