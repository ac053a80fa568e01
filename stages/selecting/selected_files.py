"""The outputs of a selection: the selected lines of every file, and the numbers of the pairs."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Self

from campanula.formats.arrays.types import Flags
from campanula.formats.files import Output
from campanula.stages.selecting.parallel_lines import LineBatch

ENDINGS = ("source", "target", "alignment")
INDICES = "indices"


def paths(prefix: str, n_files: int) -> list[str]:
    """Return the paths of the outputs for so many input files, that of the indices last."""
    return [f"{prefix}.{ending}" for ending in (*ENDINGS[:n_files], INDICES)]


class SelectedFiles:
    """`with SelectedFiles(prefix, 3) as out: out.write(batch, chosen)`; all files or none.

    PREFIX.source, .target, .alignment have the chosen lines, PREFIX.indices their numbers, from 0.
    """

    def __init__(self, prefix: str, n_files: int) -> None:
        self._paths = paths(prefix, n_files)
        self._stack = ExitStack()
        self._outputs: list[Output] = []
        self.written = 0

    def write(self, batch: LineBatch, chosen: Flags) -> None:
        """Write the chosen pairs (n,) of a batch."""
        places = [int(place) for place in chosen.nonzero()[0]]
        numbers = [str(batch.first + place) for place in places]
        columns = [[lines[place] for place in places] for lines in batch.lines]
        for output, lines in zip(self._outputs, [*columns, numbers], strict=True):
            output.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
        self.written += len(places)

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._outputs = [opening.enter_context(Output(path)) for path in self._paths]
            # only when all are open: where one cannot be, those before are closed without a trace
            self._stack = opening.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._stack.__exit__(kind, error, trace)
            return
        # all are written out before the first is renamed, which is when the stack closes them
        with self._stack:
            for output in self._outputs:
                output.finish()
