"""The folder of a translation model: which files it has, and which features are on.

`model.json` names the files, relative to its folder:

    {"phrase-table": "phrase-table.gz", "reordering-table": "reordering-table.gz",
     "lm": "lm.arpa.gz", "features": ["LM0", "WordPenalty0", ...]}

Everything but the phrase table may be left out; "features" is the list of those that are on (all
that the files provide, when it is left out).  A folder with Moses's `moses.ini` instead is read for
the paths of its phrase table, reordering table and language model.
"""

from __future__ import annotations

import json
import os
import re

from formats.errors import DataError
from formats.model import ModelFiles

MOSES_FEATURES = (
    r"UnknownWordPenalty|WordPenalty|PhrasePenalty|Distortion|PhraseDictionary\w*|LexicalReordering"
    r"|KENLM"
)


def read_model_folder(folder: str) -> ModelFiles:
    """Find the files of a model folder; raises DataError when it does not name them."""
    path = os.path.join(folder, "model.json")
    if not os.path.exists(path):
        return _read_moses_ini(folder)
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        raise DataError(path, None, f"cannot be read as JSON: {error}") from error
    known = {"phrase-table", "reordering-table", "lm", "features"}
    if not isinstance(content, dict) or "phrase-table" not in content or set(content) - known:
        found = sorted(content) if isinstance(content, dict) else type(content).__name__
        raise DataError(path, None, f"expected keys {sorted(known)}, found {found}")
    files = [content.get(key) for key in ("phrase-table", "reordering-table", "lm")]
    features = content.get("features")
    if not all(name is None or isinstance(name, str) for name in files) or not (
        features is None
        or (isinstance(features, list) and all(isinstance(name, str) for name in features))
    ):
        raise DataError(path, None, "expected file names and a list of feature names")
    inside = [None if name is None else os.path.join(folder, name) for name in files]
    return ModelFiles(
        str(inside[0]), inside[1], inside[2], None if features is None else tuple(features)
    )


def _read_moses_ini(folder: str) -> ModelFiles:
    path = os.path.join(folder, "moses.ini")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        problem = f"expected model.json or moses.ini: {error.strerror}"
        raise DataError(folder, None, problem) from error
    section = re.search(r"^\[feature\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    for name in re.findall(r"^([^\s#]\S*)", section.group(1) if section else "", re.MULTILINE):
        if not re.fullmatch(MOSES_FEATURES, name):
            problem = "expected features of a phrase-based model that decode has"
            raise DataError(path, f"feature {name!r}", problem)
    found: list[str | None] = []
    for kind in (r"PhraseDictionary\w*", "LexicalReordering", "KENLM"):
        lines = re.findall(rf"^{kind}\s.*?\bpath=(\S+)", text, re.MULTILINE)
        if len(lines) > 1:
            raise DataError(path, None, f"expected one line of {kind}, found {len(lines)}")
        found.append(os.path.join(folder, lines[0]) if lines else None)
    if found[0] is None:
        raise DataError(path, None, "expected a phrase table, found none")
    return ModelFiles(found[0], found[1], found[2])
