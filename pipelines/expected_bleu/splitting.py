"""Cuts parallel texts at the same lines into several files, whose lists become a collection.

part.0 part.1 ... part.7        as many lines in each, but for the last ones
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from campanula.formats.atomic import atomic_folder
from campanula.formats.files import Output, read_lines
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, PathOf, Product


@dataclass(frozen=True, slots=True)
class SplitText:
    """Work: a folder for each text; sizes: number of lines of each file in a folder."""

    texts: tuple[Leaf, ...]
    sizes: tuple[int, ...]

    command = "split-text"

    @property
    def suffixes(self) -> Sequence[str]:
        """Of the folders, in the order of the texts."""
        return [f".text{number}" for number in range(len(self.texts))]

    @property
    def inputs(self) -> list[Product]:
        """The texts."""
        return [*self.texts]

    def identity(self) -> object:
        """The texts, and the number of lines of every file."""
        return [[text.digest for text in self.texts], self.sizes]

    def __str__(self) -> str:
        return " ".join(os.path.basename(text.path) for text in self.texts)

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Write the folders."""
        for text, suffix in zip(self.texts, self.suffixes, strict=True):
            lines = read_lines(text.path)
            with atomic_folder(path_of(suffix)) as folder:
                for name, size in zip(names(len(self.sizes)), self.sizes, strict=True):
                    with Output(os.path.join(folder, name)) as out:
                        # one iterator for all files: each begins where the one before it ended
                        for line in islice(lines, size):
                            out.write_line(line)


def names(n: int) -> Iterator[str]:
    """Yield names of n files that sort by letters as by numbers."""
    width = len(str(n - 1))
    yield from (f"part.{number:0{width}}" for number in range(n))


def sizes(n_lines: int, n_files: int) -> tuple[int, ...]:
    """Number of lines of each file: n_lines in at most n_files files, each with one or more."""
    n_files = min(n_files, n_lines)
    # differences of rounded ends, which sum to n_lines; rounded sizes might not
    return tuple(
        n_lines * (number + 1) // n_files - n_lines * number // n_files for number in range(n_files)
    )
