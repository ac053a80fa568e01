"""Sections of the page with values of systems: the verdict, the table, the curves, the groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from campanula.pipelines import plot
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.plot import CurvePoint
from campanula.pipelines.reporting.charts import lines
from campanula.pipelines.reporting.groups import Group, by_frequency, by_length
from campanula.pipelines.reporting.markup import Child, Markup, join, section, table, tag
from campanula.pipelines.reporting.materials import UNTUNED, Materials, SetReported
from campanula.pipelines.reporting.verdict import direction, verdict
from campanula.stages.comparing.comparison import Comparison


def verdicts(materials: Materials) -> Markup:
    """A sentence for each run and each data set that weights were not tuned on."""
    sentences = [
        tag(
            "p",
            verdict(one.name, one.comparisons[0], difference),
            class_=f"verdict {direction(one.comparisons[0], difference)}",
        )
        for one in materials.tests
        for difference in one.comparisons[0].differences
    ]
    return join(sentences) or tag("p", "There is nothing to compare with.", class_="verdict open")


def introduction(materials: Materials) -> Markup:
    """A note for readers new to such a page: what the systems and the data sets are."""
    dev, *tests = materials.sets
    first = materials.runs[0].name
    sentences = [f"Weights were tuned on {dev.name} ({len(dev.references):,} sentences)."]
    if tests:
        sizes = ", ".join(f"{one.name} ({len(one.references):,})" for one in tests)
        sentences.append(f"Not seen in tuning: {sizes}.")
    if materials.has_before:
        sentences.insert(0, f"{UNTUNED} is {first} before tuning, with its initial weights.")
    return tag("p", " ".join(sentences), class_="note")


def systems(materials: Materials) -> Markup:
    """Section with all systems: values on every data set by every metric, differences, p."""
    metrics = materials.sets[0].comparisons
    head = ["data set", "system"]
    for comparison in metrics:
        best = "" if comparison.higher_is_better else " (low is good)"
        head += [f"{comparison.metric}{best}", "difference"]
    rows = (row for one in materials.sets for row in _rows(one))
    # a dict drops repeats as a set does, but in the order of the table
    signatures = dict.fromkeys(c.signature for one in materials.sets for c in one.comparisons)
    notes = [tag("code", signature) for signature in signatures]
    explained = (
        "Below a value is its 95 % interval, of the bootstrap; several replicates have their mean"
        " and standard deviation. Differences are those to the first system, p is of approximate"
        " randomisation, two-sided; green and red are those of p < 0.05. Near 0.05 interval and p"
        " may say different things."
    )
    return section(
        "Systems",
        table(head, rows, texts=(0, 1)),
        tag("p", explained, class_="note"),
        tag("p", join(notes, Markup("<br>")), class_="note"),
    )


def _rows(one: SetReported) -> Iterator[list[Child]]:
    for place, system in enumerate(one.systems):
        cells: list[Child] = [one.name, system]
        for comparison in one.comparisons:
            cells += _cells(comparison, place)
        yield cells


def _cells(comparison: Comparison, place: int) -> list[Child]:
    result, digits = comparison.results[place], comparison.digits
    low, high = result.interval
    deviation = "" if result.deviation is None else f" ± {result.deviation:.{digits}f}"
    value = f"{result.mean:.{digits}f}{deviation}"
    cell = _above(value, f"{low:.{digits}f} to {high:.{digits}f}")
    if not place:
        return [cell, ""]
    difference = comparison.differences[place - 1]
    p = f"p = {difference.chance.randomisation:.4f}"
    value = tag("span", f"{difference.value:+.{digits}f}", class_=direction(comparison, difference))
    return [cell, _above(value, p)]


def _above(value: Child, small: str) -> Markup:
    return join([value, tag("br"), tag("small", small)])


def curves(materials: Materials) -> Markup:
    """Section with learning curves: a chart for each metric of the runs and each data set."""
    bands = {run.name: plot.bands(run.histories()) for run in materials.runs}
    kept = {run.name: _kept(run) for run in materials.runs}
    measured = {run.name: run.measured for run in materials.runs}
    bounds = {run.measured: run.bounds for run in materials.runs}
    charts = [
        lines(f"{metric}, {one.name}", _curves(bands, measured, metric, one.name), kept, limits)
        for metric, limits in bounds.items()
        for one in materials.sets
    ]
    note = (
        "Iteration 0 has the initial weights, and a dot those that were kept. A band goes from the"
        " lowest replicate to the highest."
    )
    return section(
        "Learning curves", *([*charts, tag("p", note, class_="note")] if any(charts) else [])
    )


def _curves(
    bands: Mapping[str, Mapping[str, Sequence[CurvePoint]]],
    measured: Mapping[str, str],
    metric: str,
    data_set: str,
) -> dict[str, Sequence[CurvePoint]]:
    """Curves on a data set of the runs whose histories have a metric.

    bands: by run, then by data set; measured: name of the metric by run.
    """
    return {
        run: curves[data_set]
        for run, curves in bands.items()
        if measured[run] == metric and data_set in curves
    }


def _kept(run: ComparedRun) -> int | None:
    """The iteration of the weights that a run kept; None for a run of several replicates."""
    histories = run.histories()
    return histories[0][-1].kept if len(histories) == 1 and histories[0] else None


def groups(one: SetReported) -> Markup:
    """Section with values by the length of sentences and by the frequency of words."""
    references = [one.references.texts(sid)[0].split() for sid in range(len(one.references))]
    lengths = [len(words) for words in references]
    metric = one.scored[0].metric
    outputs = [[text.split() for text in one.texts(system)] for system in one.systems]
    digits = one.comparisons[0].digits
    halves = (
        tag(
            "div",
            tag("h3", f"{one.comparisons[0].metric} by the length of the reference"),
            _grouped(
                ["words", "sentences"], one.systems, by_length(metric, one.stats(), lengths), digits
            ),
        ),
        tag(
            "div",
            tag("h3", "F1 of words by how often the references have them"),
            _grouped(["times", "words"], one.systems, by_frequency(references, outputs), 1),
        ),
    )
    title = f"Where it differs on {one.name}"
    return section(title, *_of_replicates(one), tag("div", *halves, class_="halves"))


def _of_replicates(one: SetReported) -> Iterator[Markup]:
    """Yield a note on which replicates the tables show, where there are several."""
    if any(len(files) > 1 for files in one.lines.values()):
        note = (
            "Of several replicates, values by length are means, as in the first table; F1, the"
            " n-grams and the sentences above are of the replicate that is kept."
        )
        yield tag("p", note, class_="note")


def _grouped(
    head: Sequence[str], systems: Sequence[str], groups: Sequence[Group], digits: int
) -> Markup:
    rows: list[list[Child]] = [
        [group.name, f"{group.size:,}", *(f"{value:.{digits}f}" for value in group.values)]
        for group in groups
    ]
    return table([*head, *systems], rows)
