"""Reads n-best lists of another tool, and writes them as a stream: in chunks, or as a whole."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from campanula.formats.errors import DataError
from campanula.formats.files import display_name, is_file
from campanula.formats.foreign.kinds import HEAD
from campanula.formats.foreign.refusing import refuse
from campanula.formats.nbest import FORMATS
from campanula.formats.nbest.blocks import Block, read_ahead, read_blocks
from campanula.formats.nbest.costs import negate
from campanula.formats.nbest.detecting import detect
from campanula.formats.output_paths import is_replaceable
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from campanula.stages.command_line.text_flags import TextForm
from campanula.stages.nbest import nbest_flags
from campanula.stages.nbest.cutting import are_large, bytes_without_kernels, cut_ahead
from campanula.stages.nbest.forked_packing import ImportWarnings, can_be_forked, write_lists

AUTO = "auto"
MOST_FILES = 16  # open at once, beside those that forks need


def import_nbest(
    paths: Sequence[str], name: str, options: Mapping[str, Any] | None = None, jobs: int = 1
) -> Iterator[KBest]:
    """Return the lists of files in the format `name`; AUTO: the one that the first lines show.

    All lists are in memory.  options: settings of the formats that take some.  jobs: number of
    threads.  Raises DataError for the files, UsageError for settings that the format does not take
    or lacks.
    """
    options = options or {}
    source = display_name(paths[0])
    blocks = blocks_of(paths)
    # the first block decides the format, and is then passed on before all others
    first = list(itertools.islice(blocks, 1))
    if name == AUTO:
        name = format_of(first, source, options)
    nbest_flags.check(name, options)
    form = FORMATS[name]
    if options:
        form = form.with_options(options)
    return form.read(
        cut_ahead(itertools.chain(first, blocks), jobs, bytes_without_kernels(paths)), source
    )


def blocks_of(paths: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of all files; raises DataError for an empty file among several."""
    for path in paths:
        count = 0
        for block in read_ahead(path):
            yield block
            count += 1
        if not count and len(paths) > 1:
            raise DataError(display_name(path), None, "expected hypotheses, found none")


def format_of(first: list[Block], source: str, options: Mapping[str, Any]) -> str:
    """Return the format that the first block shows, or that settings imply; raises DataError.

    A JSON file may be one long line, of which the first block is only the beginning.
    """
    lines = [line for block in first for line in block.data.decode("utf-8").split("\n") if line]
    name = nbest_flags.implied(detect(lines), options)
    if name is None:
        if first:
            refuse(first[0].data[:HEAD], source, "n-best lists", ())
        line = f"{lines[0][:60]!r}" if lines else "nothing"
        problem = f"expected a list in one of the formats {', '.join(FORMATS)}; found {line}"
        raise DataError(source, None, problem)
    return name


class Import(NamedTuple):
    """What is to be imported.

    paths: of files in the format `name`, or AUTO; options: settings of the formats that take some;
    negate: patterns of numbers that are costs; form: which text is taken.
    """

    paths: Sequence[str]
    name: str
    options: Mapping[str, Any]
    negate: Sequence[str]
    form: TextForm

    @property
    def source(self) -> str:
        """Name of the files in errors."""
        return display_name(self.paths[0])

    def prepare(self, kbest: KBest) -> KBest:
        """Return a list as it is written; raises DataError for one without the text."""
        return self.form.keeping(kbest, self.source)


class Imported(NamedTuple):
    """What has been written: counts for the warnings, and the number of sentences."""

    warnings: ImportWarnings
    sentences: int


def write_imported(asked: Import, output: str | None, signature: str, jobs: int) -> Imported:
    """Write the lists of files as a stream; raises DataError, and UsageError as `import_nbest`."""
    written = None
    if _may_be_separable(asked, output):
        written = _written_in_chunks(asked, output, signature, jobs)
    return written or _written_as_a_whole(asked, output, signature, jobs)


def _may_be_separable(asked: Import, output: str | None) -> bool:
    """Whether it is worth trying to read chunks of the files without one another."""
    # --negate must see all lists before it can say that a pattern matched nothing
    if asked.negate or asked.options:
        return False
    # both can begin again when a chunk shows that chunks will not do: files are read from the
    # start, and an output that is replaced has nothing of the first lists
    can_begin_again = is_replaceable(output) and all(map(is_file, asked.paths))
    return can_begin_again and len(asked.paths) <= MOST_FILES and are_large(asked.paths)


def _written_in_chunks(
    asked: Import, output: str | None, signature: str, jobs: int
) -> Imported | None:
    """Write the lists of files in chunks; None, and nothing is written, if that will not do."""
    # few files are so large
    from campanula.stages.nbest.chunked_files import NotSeparable, bar_reader, write_in_chunks

    name = asked.name
    if name == AUTO:
        first = list(itertools.islice(read_blocks(asked.paths[0]), 1))
        if not first:
            return None
        name = format_of(first, asked.source, asked.options)
    reader = bar_reader(FORMATS[name])
    if reader is None:
        return None
    warnings = ImportWarnings.none()
    try:
        with Writer(output, KBest, signature) as out:
            write_in_chunks(asked.paths, reader, asked.prepare, warnings, out, jobs)
    except NotSeparable:
        return None
    return Imported(warnings, out.count)


def _written_as_a_whole(asked: Import, output: str | None, signature: str, jobs: int) -> Imported:
    """Read all files, and write their lists; raises DataError and UsageError."""
    lists: Iterable[KBest] = import_nbest(asked.paths, asked.name, asked.options, jobs)
    warnings = ImportWarnings.none()
    with Writer(output, KBest, signature) as out:
        # a fork sees some of the lists, and --negate must see all
        if not asked.negate and can_be_forked(lists, jobs):
            write_lists(lists, asked.prepare, warnings, out, jobs)
        else:
            lists = negate(lists, asked.negate, asked.source) if asked.negate else lists
            for kbest in map(asked.prepare, lists):
                warnings.look(kbest)
                out.write(kbest)
    return Imported(warnings, out.count)
