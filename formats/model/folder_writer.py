"""Write the model.json of a model folder (folder.py); the files may be in other folders."""

from __future__ import annotations

import json
import os

from campanula.formats.files import Output
from campanula.formats.model.files import WORD, ModelFiles

Entry = str | dict[str, str]


def write_model_folder(folder: str, files: ModelFiles) -> None:
    """Write a model.json with the paths of the files, relative to the folder, and the features."""

    def inside(path: str) -> str:
        return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))

    tables: list[Entry] = []
    for table in files.reordering_tables:
        named = {"file": inside(table.path), "orientation": table.orientation}
        tables.append(named["file"] if table.orientation == WORD else named)
    models: list[Entry] = []
    for lm in files.lms:
        path = inside(lm.path)
        models.append(path if lm.classes is None else {"file": path, "classes": inside(lm.classes)})
    distortion = files.distortion_table
    content = {
        "phrase-table": inside(files.phrase_table),
        "reordering-table": _short(tables),
        "lm": _short(models),
        "distortion-table": None if distortion is None else inside(distortion),
        "features": None if files.features is None else list(files.features),
    }
    named_files = {key: value for key, value in content.items() if value is not None}
    with Output(os.path.join(folder, "model.json")) as out:
        out.write_line(json.dumps(named_files, indent=1))


def _short(entries: list[Entry]) -> Entry | list[Entry] | None:
    """Return a list in its shortest form: None if it is empty, a single file name by itself."""
    if len(entries) == 1 and isinstance(entries[0], str):
        return entries[0]
    return entries or None
