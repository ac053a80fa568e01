r"""Plain lines, `size` of them per sentence, as most decoders write n-best lists by default.

    the cat \t -0.51         (OpenNMT-py -with_score, NeMo's beams; without a tab it is the text)
    a cat   \t -0.77
    -0.51 \t the cat         (or the score first)

An empty line is an empty hypothesis.  A single number beside the text is the score, several numbers
are the features F0, F1, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from campanula.formats.errors import DataError, LineError, quoted
from campanula.formats.feature_names.dense import names_of
from campanula.formats.nbest.blocks import Block, whole_lines
from campanula.formats.nbest.documents import SentenceRows
from campanula.formats.nbest.rows import Row
from campanula.formats.text.numbers import looks_like_number, number


def is_beams(lines: Sequence[str]) -> bool:
    """Whether all lines are a text, a tab and a number, as NeMo writes its beams."""
    cells = [line.split("\t") for line in lines]
    return all(len(row) == 2 and looks_like_number(row[1].strip(" ")) for row in cells)


def sentences(blocks: Iterable[Block], source: str, size: int) -> Iterator[SentenceRows]:
    """Yield the lists of files, `size` lines each; raises DataError that names the line."""
    layout: PlainLayout | None = None
    rows: list[Row] = []
    count = 0
    for block in whole_lines(blocks):
        lines = block.data.decode("utf-8").split("\n")[:-1]
        if layout is None:
            layout = PlainLayout(lines)
        for place, line in enumerate(lines, block.number):
            try:
                rows.append(layout.hypothesis(line))
            except LineError as error:
                raise DataError(block.name, f"line {place}", str(error)) from error
            if len(rows) == size:
                yield SentenceRows(None, rows, f"line {place}")
                rows = []
        count += len(lines)
    if rows:
        problem = f"expected {size} lines a sentence, found {count} lines, {len(rows)} too many"
        raise DataError(source, "at the end", problem)


class PlainLayout:
    """The layout of the lines: width, number of columns; text, place of the text."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Take the layout from the first lines of a list."""
        cells = [line.split("\t") for line in lines]
        self.width = len(cells[0]) if cells else 1
        same = [row for row in cells if len(row) == self.width]
        first = all(looks_like_number(row[0].strip()) for row in same)
        last = all(looks_like_number(row[-1].strip()) for row in same)
        # where numbers do not tell, in both columns or in neither, the text is taken to be first
        self.text = self.width - 1 if first and not last else 0

    def hypothesis(self, line: str) -> Row:
        """Read the hypothesis of a line; raises LineError."""
        cells = line.split("\t")
        if len(cells) != self.width:
            problem = f"expected {self.width} columns, as in the first line"
            raise LineError(f"{problem}, found {len(cells)}: {quoted(line)}")
        text = cells.pop(self.text).strip(" ")
        names = ["score"] if len(cells) == 1 else names_of(None, len(cells))
        values = [number(cell.strip(" "), name) for name, cell in zip(names, cells, strict=True)]
        if len(values) == 1:
            return Row(0, text, {}, values[0])
        return Row(0, text, dict(zip(names, values, strict=True)))
