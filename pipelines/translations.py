"""The translations of a data set as text, one a line: what `compare` takes of a run."""

from __future__ import annotations

from campanula.formats.collections.opening import open_lists
from campanula.formats.files import Output
from campanula.formats.records.kbest import KBest
from campanula.pipelines.stage_task import Product


def write(path: str, lists: Product) -> None:
    """Write the first hypothesis of every list of a data set, which has one for each sentence."""
    with open_lists(lists.path, KBest) as found, Output(path) as out:
        for kbest in found:
            out.write_line(kbest.text[0])
