"""The translations of a data set as text, one a line: what `compare` takes of a run."""

from __future__ import annotations

from campanula.formats.collections.opening import open_lists
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.pipelines.tasks.stage_task import Product
from campanula.stages.outputs.best_texts import text_lines


def write(path: str, lists: Product) -> None:
    """Write the first hypothesis of every list of a data set as the line of its sentence.

    Raises DataError for a sentence without a list, which would move all lines after it.
    """
    with open_lists(lists.path, KBest) as opened, Output(path) as out:
        for line in text_lines(opened, opened.name, allow_missing=False):
            out.write_line(line)
