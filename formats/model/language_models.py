"""Several language models, over words or over classes of words, as one automaton.

    states 0 .. n-1     the empty contexts of models 0 .. n-1
    states n ..         the other states of model 0, then those of model 1, ...
    words               those of model 0, then those of model 1, ...

The models share no states or words, so a state tells its model, and one kernel steps through all
models.  A single model's automaton is used unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import xxhash

from campanula.formats.arpa.reader import Arpa, read_arpa
from campanula.formats.arrays.columns import (
    LOWER,
    STATE,
    TARGET,
    UNIGRAM_TARGET,
    VALUE,
    WORD,
)
from campanula.formats.arrays.types import Ids
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.model.automaton import (
    START_STATE,
    UNKNOWN,
    UNKNOWN_WORD,
    Automaton,
    automaton_of,
    with_unknown,
)
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.hash_table import transition_table
from campanula.formats.model.sorted_ngrams import SortedOrder, sorted_ngrams
from campanula.formats.model.spelled_words import spelled_slots
from campanula.formats.model.vocabulary import Vocabulary
from campanula.formats.text.word_classes import read_word_classes


class Lexicon(NamedTuple):
    """The words of a model, and the number (n_words,) of each word in the automaton of all models.

    For a model over classes the words are those that have a class, and the numbers are those of
    their classes.  slot: hash table by which kernels find words by their bytes (spelled_words.py).
    """

    words: Vocabulary
    number: Ids
    slot: Ids


class OneModel(NamedTuple):
    """A language model's automaton, its vocabulary, and a checksum of its n-grams and classes."""

    automaton: Automaton
    lexicon: Lexicon
    checksum: str


@dataclass(frozen=True)
class LanguageModels:
    """The joined automaton of at least one model, each model's vocabulary, and their checksums."""

    automaton: Automaton
    lexicons: tuple[Lexicon, ...]
    checksums: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.lexicons)

    def numbers(self, word: bytes) -> Ids:
        """Return the numbers (n_models,) of a word in the automaton, those of <unk> if unknown."""
        number = self.automaton.special[:, UNKNOWN_WORD].astype(np.int32)
        for model, (vocabulary, number_in_all, _) in enumerate(self.lexicons):
            place = vocabulary.find(word)
            if place >= 0:
                number[model] = number_in_all[place]
        return number

    def numbers_of_all(self, words: Sequence[bytes]) -> Ids:
        """Return the numbers (n_words, n_models) of many words, as `numbers` gives them."""
        columns = list[list[int]]()
        for model, (vocabulary, number_in_all, _) in enumerate(self.lexicons):
            unknown = int(self.automaton.special[model, UNKNOWN_WORD])
            # a dict is worth its memory for many words; `numbers` searches the vocabulary for one
            index = dict(zip(vocabulary.all_words(), number_in_all.tolist(), strict=True))
            columns.append([index.get(word, unknown) for word in words])
        # a copy, so that the numbers of one word lie together: they are looked up by word
        return np.array(columns, dtype=np.int32).reshape(len(self), -1).T.copy()


def read_language_models(files: Sequence[LanguageModelFile]) -> LanguageModels:
    """Read one or more models; raises DataError."""
    models = list[OneModel]()
    for file in files:
        classes = None if file.classes is None else read_word_classes(file.classes)
        name = "" if file.classes is None else display_name(file.classes)
        models.append(compiled(read_arpa(file.path), display_name(file.path), classes, name))
    return together(models)


def compiled(
    arpa: Arpa, name: str, classes: dict[bytes, bytes] | None = None, classes_name: str = ""
) -> OneModel:
    """Compile a model; name and classes_name are its files in messages; raises DataError."""
    arpa = with_unknown(arpa)
    orders = sorted_ngrams(arpa, name)
    automaton = automaton_of(arpa.vocabulary, orders)
    checksum = _checksum(arpa.vocabulary, orders)
    if classes is None:
        words = Vocabulary.build(arpa.vocabulary)
        number = np.arange(len(words), dtype=np.int32)
        return OneModel(automaton, Lexicon(words, number, spelled_slots(words)), checksum)
    index = {word: number for number, word in enumerate(arpa.vocabulary)}
    unknown = index[UNKNOWN]
    number = np.array([index.get(word, unknown) for word in classes.values()], dtype=np.int32)
    # the classes of some other model would turn every sentence into unknown words
    if (number == unknown).all():
        problem = f"expected classes that {name} has as its words, found none"
        raise DataError(classes_name, None, problem)
    words = Vocabulary.build(list(classes))
    # sorted, since the order of the lines of the file of classes changes no score
    listed = b"\n".join(b"\t".join(pair) for pair in sorted(classes.items()))
    checksum = xxhash.xxh3_64_hexdigest(checksum.encode() + listed)
    return OneModel(automaton, Lexicon(words, number, spelled_slots(words)), checksum)


def _checksum(words: list[bytes], orders: list[SortedOrder]) -> str:
    """Return the checksum of a model's words and n-grams, 16 hexadecimal digits."""
    summed = xxhash.xxh3_64(b"\n".join(words))
    for key, prob, backoff in orders:
        # little-endian whatever the machine, so that one model has one checksum
        for array in (key.astype("<i8"), prob.astype("<f4"), backoff.astype("<f4")):
            summed.update(array.tobytes())
    return summed.hexdigest()


def together(models: Sequence[OneModel]) -> LanguageModels:
    """Join one or more models to one automaton, with their vocabularies renumbered."""
    lexicons = list[Lexicon]()
    first = 0
    for model in models:
        words, number, slot = model.lexicon
        lexicons.append(Lexicon(words, number + np.int32(first), slot))
        first += len(model.automaton.unigram)
    automaton = joined([model.automaton for model in models])
    return LanguageModels(automaton, tuple(lexicons), tuple(model.checksum for model in models))


def joined(automata: Sequence[Automaton]) -> Automaton:
    """Join automata to one, numbered as the module's docstring says."""
    if len(automata) == 1:
        return automata[0]
    n = len(automata)
    first_state = n + np.cumsum([0, *(len(one.state) - 1 for one in automata)])
    first_word = np.cumsum([0, *(len(one.unigram) for one in automata)])
    tables = list[Ids]()
    unigram = np.concatenate([one.unigram for one in automata])
    state = np.empty((int(first_state[-1]), 4), dtype=np.int32)
    special = np.concatenate([one.special for one in automata])
    for model, one in enumerate(automata):

        def moved(state: Ids, root: int = model) -> Ids:
            """Return the numbers of this model's states in the joined automaton."""
            return np.where(state == 0, root, state - 1 + first_state[root]).astype(np.int32)

        # without free slots (-1); a mask copies, so the model keeps its own table as it is
        transitions = one.table[one.table[:, STATE] >= 0]
        transitions[:, [STATE, TARGET]] = moved(transitions[:, [STATE, TARGET]])
        transitions[:, WORD] += first_word[model]
        tables.append(transitions)
        words = slice(first_word[model], first_word[model + 1])
        unigram[words, UNIGRAM_TARGET] = moved(one.unigram[:, UNIGRAM_TARGET])
        rows = moved(np.arange(len(one.state), dtype=np.int32))
        state[rows] = one.state
        state[rows, LOWER] = moved(one.state[:, LOWER])
        special[model, START_STATE] = moved(special[model, START_STATE])
        special[model, START_STATE + 1 :] += first_word[model]
    return Automaton(_table(tables), unigram, state, special)


def _table(tables: list[Ids]) -> Ids:
    """Return the hash table of the transitions of all models, each (n, 4)."""
    transitions = np.concatenate(tables)
    state, word, target = transitions[:, [STATE, WORD, TARGET]].T.astype(np.int64)
    return transition_table(state, word, target, transitions[:, VALUE].copy().view(np.float32))
