"""Parts of the page that have values of systems: the verdict, the table, the curves, the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campanula.pipelines import plot
from campanula.pipelines.reporting.charts import lines
from campanula.pipelines.reporting.groups import Group, by_frequency, by_length
from campanula.pipelines.reporting.markup import Child, Markup, join, section, table, tag
from campanula.pipelines.reporting.materials import Materials, SetReported
from campanula.pipelines.reporting.verdict import verdict
from campanula.stages.comparing.comparison import Comparison


def verdicts(materials: Materials) -> Markup:
    """A sentence a run and data set that weights were not tuned on."""
    said = [
        tag("p", verdict(one.name, one.comparisons[0], difference), class_="verdict")
        for one in materials.tests
        for difference in one.comparisons[0].differences
    ]
    return join(said) or tag("p", "There is nothing to compare with.", class_="verdict")


def systems(materials: Materials) -> Markup:
    """Every system on every data set by every metric, with what sets it apart from the first."""
    metrics = materials.sets[0].comparisons
    head = ["data set", "system"]
    for comparison in metrics:
        best = "" if comparison.higher_is_better else " (low is good)"
        head += [f"{comparison.metric}{best}", "difference"]
    rows = (row for one in materials.sets for row in _rows(one))
    signatures = {c.signature for one in materials.sets for c in one.comparisons}
    notes = [tag("p", tag("code", signature), class_="note") for signature in sorted(signatures)]
    explained = (
        "Values of several replicates are their means, with the standard deviation; below them are"
        " 95 % intervals, of the bootstrap. p is of approximate randomisation against the first"
        " system, two-sided; near 0.05 the two may say different things."
    )
    return section(
        "Systems", table(head, rows, texts=(0, 1)), tag("p", explained, class_="note"), *notes
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
    return [cell, _above(f"{difference.value:+.{digits}f}", p)]


def _above(value: str, small: str) -> Markup:
    return join([value, tag("br"), tag("small", small)])


def curves(materials: Materials) -> Markup:
    """A chart a data set: the metric by iteration, of replicates with a band."""
    found = {run.name: plot.bands(run.histories()) for run in materials.runs}
    charts = [
        lines(
            f"{one.comparisons[0].metric}, {one.name}",
            {name: bands[one.name] for name, bands in found.items() if one.name in bands},
        )
        for one in materials.sets
    ]
    note = "Iteration 0 has the initial weights. Bands go from the lowest replicate to the highest."
    return section(
        "Learning curves", *([*charts, tag("p", note, class_="note")] if any(charts) else [])
    )


def groups(one: SetReported) -> Markup:
    """Values by the length of a sentence and by how frequent a word is."""
    references = [one.references.texts(sid)[0].split() for sid in range(len(one.references))]
    lengths = [len(words) for words in references]
    metric = one.scored[0].metric
    outputs = [[text.split() for text in one.texts(system)] for system in one.systems]
    digits = one.comparisons[0].digits
    return section(
        f"Where it differs on {one.name}",
        tag("h3", f"{one.comparisons[0].metric} by the length of the reference"),
        _grouped("sentences of", one.systems, by_length(metric, one.stats(), lengths), digits),
        tag("h3", "F1 of words by how often the references have them"),
        _grouped("words found", one.systems, by_frequency(references, outputs), 1),
    )


def _grouped(title: str, systems: Sequence[str], groups: Sequence[Group], digits: int) -> Markup:
    rows: list[list[Child]] = [
        [group.name, group.size, *(f"{value:.{digits}f}" for value in group.values)]
        for group in groups
    ]
    return table([title, "number", *systems], rows)
