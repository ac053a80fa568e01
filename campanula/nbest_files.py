"""Lists of other tools' files, or of streams, as `import-nbest` reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from campanula.formats.files import display_name, read_head
from campanula.formats.records.kbest import KBest
from campanula.lists import KBestLists, Path
from campanula.stages.command import signature


def read_nbest(
    path: Path | Sequence[Path],
    format: str = "auto",
    *,
    negate: str | Sequence[str] = (),
    text_field: str | None = None,
    remove_subwords: str | None = None,
    **settings: Any,
) -> KBestLists:
    """Read the lists of another tool's text file, of several such files, or of a k-best stream.

    path: `-` is text on stdin; several files are read one after another; format: a name in
    LIST_FORMATS, or `auto` to detect the format from the first lines.

    The other arguments are flags of `import-nbest`; a stream takes none of them.  negate: patterns
    of features that are costs, to be made scores; text_field and remove_subwords (bpe or spm): the
    hypotheses' text; settings: those of formats that have some, which are size; the key paths text,
    score, id, list, records, and features={name: path}; costs={name: file}, scores={name: file}.

    Raises DataError that names the file and the line, UnknownName for an unknown format,
    ValueError for settings that the format does not take, or needs and lacks.
    """
    from campanula.formats.nbest.costs import negate as negated
    from campanula.stages.command_line.text_flags import TextForm
    from campanula.stages.import_nbest import import_nbest
    from campanula.stages.nbest.nbest_flags import settings_of

    files = [path] if isinstance(path, str | os.PathLike) else path
    paths = [os.fspath(file) for file in files]
    if not paths:
        raise ValueError("expected a file of lists, or several, found none")
    patterns = [negate] if isinstance(negate, str) else list(negate)
    form = TextForm(text_field, remove_subwords)
    format_settings = settings_of(settings)
    source = display_name(paths[0])
    if format == "auto" and paths != ["-"] and is_stream(paths[0]):  # stdin cannot be read twice
        if len(paths) > 1 or patterns or format_settings or form != TextForm():
            raise ValueError(f"{source} is a stream, which is read alone and as it is")
        return KBestLists.open(paths[0])
    lists: Iterable[KBest] = import_nbest(paths, format, format_settings)
    if patterns:
        lists = negated(lists, patterns, source)
    options = {"negate": ",".join(patterns)} if patterns else {}
    history = signature("import-nbest", **options, **form.signature())
    return KBestLists(tuple(form.keeping_all(lists, source)), history, None, source)


def is_stream(path: str) -> bool:
    """Whether a file begins as our streams do: with a msgpack map whose first key is `kind`."""
    # the first byte, left out, is the number of keys; \xa4 is a text of four bytes
    return read_head(path, 6)[1:] == b"\xa4kind"
