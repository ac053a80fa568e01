"""Compiled language models in the cache folder: parsed once, then mapped by every command.

An entry is named by a digest of the bytes of its files, not by their names.  It holds one model, or
several that are joined to one automaton.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xxhash

from campanula.formats.errors import DataError
from campanula.formats.files import is_file
from campanula.formats.model.array_folder import (
    Arrays,
    default_cache,
    kept_arrays,
    write_arrays,
)
from campanula.formats.model.automaton import Automaton
from campanula.formats.model.file_digests import file_digest
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.language_models import (
    LanguageModels,
    Lexicon,
    read_language_models,
)
from campanula.formats.model.vocabulary import Vocabulary

# Part of the digest.  An entry is used without reading its files again: raise the number when the
# arrays change, or when the reader comes to refuse files that it accepted before.
LAYOUT = "campanula language models 1"

WORD_ARRAYS = ("blob", "offset", "slot")  # of a Vocabulary
CHECKSUMS = "checksums"
SPELLED = "lm_spelled"


def load_language_models(
    files: Sequence[LanguageModelFile], cache: str | None = None
) -> LanguageModels:
    """Map models from the cache, compiling them first if there is no entry; raises DataError.

    Files that are not regular (pipes) are compiled without a cache, since they can be read once.
    """
    paths = [path for file in files for path in (file.path, file.classes) if path is not None]
    if not all(is_file(path) for path in paths):
        return read_language_models(files)
    cache = cache or default_cache()
    digest = _digest(files, cache)
    folder = os.path.join(cache, f"lm-{digest}")
    arrays = kept_arrays(folder)
    if arrays is not None:
        return _models_of(arrays)
    models = read_language_models(files)
    # an entry is named by the bytes before: other bytes under that name would stay unnoticed
    if _digest(files, cache) != digest:
        raise DataError(files[0].path, None, "this file changed while it was read: start again")
    write_arrays(_arrays(models), folder)
    return models


def _digest(files: Sequence[LanguageModelFile], cache: str) -> str:
    """Return the digest of models, from the digests of their files in order."""
    total = xxhash.xxh3_128(f"{LAYOUT}: {len(files)}".encode())
    for file in files:
        for path in (file.path, file.classes):
            total.update(b"none" if path is None else file_digest(path, cache))
    return total.hexdigest()


def automaton_arrays(models: LanguageModels) -> Arrays:
    """Return the arrays of the automaton, and of each model's vocabulary."""
    arrays: Arrays = {
        f"lm_{name}": getattr(models.automaton, name) for name in Automaton.__dataclass_fields__
    }
    for model, (words, number, _) in enumerate(models.lexicons):
        arrays[f"lm_number{model}"] = number
        arrays |= vocabulary_arrays(f"lm_words{model}", words)
    return arrays


def vocabulary_arrays(name: str, vocabulary: Vocabulary) -> Arrays:
    """Return the arrays of a vocabulary, under names that begin with `name`."""
    arrays: Arrays = {f"{name}_{part}": getattr(vocabulary, part) for part in WORD_ARRAYS}
    return arrays | {f"{name}_bits": np.array(vocabulary.bits)}


def vocabulary_of(arrays: Mapping[str, Any], name: str) -> Vocabulary:
    """Make a vocabulary of the arrays that vocabulary_arrays gave under this name."""
    blob, offset, slot = (arrays[f"{name}_{part}"] for part in WORD_ARRAYS)
    return Vocabulary(blob, offset, slot, int(arrays[f"{name}_bits"]))


def _arrays(models: LanguageModels) -> Arrays:
    """Return all arrays of a cache entry."""
    arrays = automaton_arrays(models)
    arrays |= {f"{SPELLED}{model}": words.slot for model, words in enumerate(models.lexicons)}
    return arrays | {CHECKSUMS: np.array([sum.encode() for sum in models.checksums], "S16")}


def _models_of(arrays: Mapping[str, Any]) -> LanguageModels:
    automaton = Automaton(**{name: arrays[f"lm_{name}"] for name in Automaton.__dataclass_fields__})
    lexicons = (
        Lexicon(
            vocabulary_of(arrays, f"lm_words{model}"),
            arrays[f"lm_number{model}"],
            arrays[f"{SPELLED}{model}"],
        )
        for model in range(len(automaton.special))
    )
    checksums = tuple(checksum.decode() for checksum in arrays[CHECKSUMS].tolist())
    return LanguageModels(automaton, tuple(lexicons), checksums)
