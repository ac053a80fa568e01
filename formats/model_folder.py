"""The folder of a translation model: which files it has, and which features are on.

`model.json` names the files, relative to its folder:

    {"phrase-table": "phrase-table.gz", "reordering-table": "reordering-table.gz",
     "lm": "lm.arpa.gz", "distortion-table": "distortion-table.gz",
     "features": ["LM0", "WordPenalty0", ...]}

Everything but the phrase table may be left out; "features" is the list of those that are on, by
name or by set (dense_names.py; when it is left out, all that the files provide but the split
language model).  A folder may have Moses's `moses.ini` instead (moses_ini.py); its files and
features count, its weights and settings do not.
"""

from __future__ import annotations

import json
import os

from formats.errors import DataError
from formats.model import ModelFiles
from formats.moses_ini import read_moses_ini

FILES = ("phrase-table", "reordering-table", "lm", "distortion-table")


def read_model_folder(folder: str) -> ModelFiles:
    """Find the files of a model folder; raises DataError when it does not name them."""
    path = os.path.join(folder, "model.json")
    if not os.path.exists(path):
        return _of_moses(folder)
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        raise DataError(path, None, f"cannot be read as JSON: {error}") from error
    known = {*FILES, "features"}
    if not isinstance(content, dict) or "phrase-table" not in content or set(content) - known:
        found = sorted(content) if isinstance(content, dict) else type(content).__name__
        raise DataError(path, None, f"expected keys {sorted(known)}, found {found}")
    files = [content.get(key) for key in FILES]
    features = content.get("features")
    if not all(name is None or isinstance(name, str) for name in files) or not (
        features is None
        or (isinstance(features, list) and all(isinstance(name, str) for name in features))
    ):
        raise DataError(path, None, "expected file names and a list of feature names")
    inside = [None if name is None else os.path.join(folder, name) for name in files]
    on = None if features is None else tuple(features)
    return ModelFiles(str(inside[0]), inside[1], inside[2], on, inside[3], source=path)


def _of_moses(folder: str) -> ModelFiles:
    path = os.path.join(folder, "moses.ini")
    if not os.path.exists(path):
        raise DataError(folder, None, "expected model.json or moses.ini, found neither")
    return read_moses_ini(path).files
