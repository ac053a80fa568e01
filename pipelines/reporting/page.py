"""The page of a report: its sections in order, with style and script in the file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from campanula.formats.files import Output
from campanula.pipelines.comparing.compared_run import ComparedRun, names_of
from campanula.pipelines.reporting import making, scores, sentences
from campanula.pipelines.reporting.lists import seen
from campanula.pipelines.reporting.markup import Markup, contents, join, tag
from campanula.pipelines.reporting.materials import Materials, gathered, kept_place
from campanula.stages.metrics.table import metric_named

BEGINNING = Markup("<!DOCTYPE html>\n")


def write(
    folders: Sequence[str], path: str | None, metrics: Sequence[str] = (), jobs: int = 1
) -> None:
    """Write the page about the runs of these folders; raises DataError, UsageError."""
    # a path that cannot be written is refused before the work
    Output.check(path)
    named = zip(names_of(folders), folders, strict=True)
    runs = [ComparedRun.open(name, folder) for name, folder in named]
    text = page(gathered(runs, [metric_named(name) for name in metrics], jobs))
    with Output(path) as out:
        out.write(text.encode("utf-8"))


def page(materials: Materials) -> str:
    """The whole page; sections on sentences are of dev and the first test set, two systems."""
    run = materials.runs[0]
    dev = materials.sets[0]
    folder = run.folders[kept_place(run)]
    lists = seen(folder, set(sentences.moved_most(dev)))
    test = materials.tests[0]
    detailed = [test] if test is dev else [dev, test]
    title = f"Tuning: {', '.join(one.name for one in materials.runs)}"
    parts = [
        scores.systems(materials),
        scores.curves(materials),
        making.weights(run, lists),
        *(sentences.moved(one, lists if one is dev else None) for one in detailed),
        sentences.ngrams(test),
        scores.groups(test),
        making.time(materials.runs),
        making.how(materials.runs),
    ]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", title),
        tag("style", _file("style.css")),
    ]
    top = [
        tag("h1", title),
        scores.verdicts(materials),
        scores.introduction(materials),
        contents(parts),
    ]
    body = tag("body", *top, *parts, tag("script", _file("tables.js")))
    return join([BEGINNING, tag("html", tag("head", *head), body, lang="en"), "\n"])


def _file(name: str) -> Markup:
    """A file of this package, as markup that is not escaped."""
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
