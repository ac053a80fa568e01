"""Ways to name a translation model: a folder, a moses.ini, or its files one by one.

In a folder, `model.json` names the files, relative to itself:

    {"phrase-table": "phrase-table.gz", "reordering-table": "reordering-table.gz",
     "lm": "lm.arpa.gz", "distortion-table": "distortion-table.gz",
     "features": ["LM0", "WordPenalty0", ...]}

Several reordering tables are a list, `"reordering-table": ["words.gz", {"file": "other.gz",
"orientation": "hierarchical"}]` (files.py has the types).
Several language models are a list, `"lm": ["lm.arpa.gz", {"file": "classes.arpa.gz", "classes":
"classes"}]`; a model over classes of words names the file of the classes
(formats/text/word_classes.py).  Everything but the phrase table may be left out.  "features" lists
the features that are on, by name or by set (feature_names/dense.py); without it, all that the files
provide are on but those of the split language model.  A folder may have Moses's `moses.ini` instead
(moses/ini.py); its files and features are used, its weights and settings are not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from campanula.formats.errors import SHOWN, DataError
from campanula.formats.json_objects import read_object
from campanula.formats.model.files import (
    ORIENTATIONS,
    WORD,
    LanguageModelFile,
    ModelFiles,
    ReorderingTable,
)
from campanula.formats.moses.ini import read_moses_ini
from campanula.formats.weights import Weights

FILES = ("phrase-table", "distortion-table")
REORDERING = "reordering-table"
LM = "lm"


@dataclass(frozen=True)
class NamedModel:
    """The files of a model, and the settings and weights of a moses.ini, if it is one."""

    files: ModelFiles
    settings: Mapping[str, float] = field(default_factory=dict)
    weights: Weights | None = None

    @classmethod
    def at(cls, path: str) -> NamedModel:
        """Read the model of a folder, or of a moses.ini file; raises DataError."""
        if os.path.isdir(path):
            return cls(read_model_folder(path))
        return cls.of_moses(path)

    @classmethod
    def of_moses(cls, path: str) -> NamedModel:
        """Read the model of a moses.ini file; raises DataError."""
        ini = read_moses_ini(path)
        return cls(ini.files, ini.settings, ini.weights)


def named_model(
    folder: str | None, moses_ini: str | None, files: ModelFiles | None
) -> NamedModel | None:
    """Read the model of the first argument that is given; None without any.  Raises DataError."""
    if moses_ini is not None:
        return NamedModel.of_moses(moses_ini)
    if folder is not None:
        return NamedModel(read_model_folder(folder))
    return None if files is None else NamedModel(files)


def read_model_folder(folder: str) -> ModelFiles:
    """Find the files of a model folder; raises DataError when it does not name them."""
    path = os.path.join(folder, "model.json")
    if not os.path.exists(path):
        return _of_moses(folder)
    content = read_object(path)
    # an unknown key is refused: a misspelt one would leave out a file, and only the scores show it
    keys = {*FILES, REORDERING, LM, "features"}
    if "phrase-table" not in content or set(content) - keys:
        raise DataError(path, None, f"expected keys {sorted(keys)}, found {sorted(content)}")
    files = [content.get(key) for key in FILES]
    features = content.get("features")
    if (
        not files[0]
        or not all(name is None or isinstance(name, str) for name in files)
        or not (
            features is None
            or (isinstance(features, list) and all(isinstance(name, str) for name in features))
        )
    ):
        raise DataError(path, None, "expected file names and a list of feature names")
    inside = [None if name is None else os.path.join(folder, name) for name in files]
    return ModelFiles(
        phrase_table=str(inside[0]),
        reordering_tables=tuple(_reordering_tables(path, content.get(REORDERING))),
        lms=tuple(_language_models(path, content.get(LM))),
        features=None if features is None else tuple(features),
        distortion_table=inside[1],
        source=path,
    )


def _reordering_tables(path: str, content: object) -> Iterator[ReorderingTable]:
    """Yield the reordering tables that a model.json names; raises DataError."""
    for entry in _entries(path, REORDERING, content, "orientation", ORIENTATIONS):
        file = os.path.join(os.path.dirname(path), entry["file"])
        yield ReorderingTable(file, entry.get("orientation", WORD))


def _language_models(path: str, content: object) -> Iterator[LanguageModelFile]:
    """Yield the language models that a model.json names; raises DataError."""
    for entry in _entries(path, LM, content, "classes"):
        files = {key: os.path.join(os.path.dirname(path), name) for key, name in entry.items()}
        yield LanguageModelFile(files["file"], files.get("classes"))


def _entries(
    path: str, key: str, content: object, option: str, values: Sequence[str] = ()
) -> Iterator[dict[str, str]]:
    """Yield the entries under a key, each with its `file`, and with `option` if that is given.

    content: a file name, an object, a list of these, or None.  values: those that the option can
    have, none if it is a file name.  Raises DataError for any other content.
    """
    listed = content if isinstance(content, list) else [] if content is None else [content]
    for entry in listed:
        named = {"file": entry} if isinstance(entry, str) else entry
        if (
            not isinstance(named, dict)
            or not {"file"} <= set(named) <= {"file", option}
            or not all(isinstance(value, str) for value in named.values())
            or (values and named.get(option, values[0]) not in values)
        ):
            form = f'{{"file": "FILE", "{option}": "{"|".join(values) or "FILE"}"}}'
            problem = f'expected "FILE" or {form}, or a list of these'
            raise DataError(path, key, f"{problem}; found {json.dumps(entry)[:SHOWN]}")
        yield named


def _of_moses(folder: str) -> ModelFiles:
    path = os.path.join(folder, "moses.ini")
    if not os.path.exists(path):
        found = 'found neither (model.json: {"phrase-table": "FILE", ...})'
        raise DataError(folder, None, f"expected model.json or moses.ini, {found}")
    return read_moses_ini(path).files
