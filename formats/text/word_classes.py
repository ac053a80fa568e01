"""Classes of words, one word per line: `word<TAB>class`, as mkcls writes them.

A class may have any name without blanks; mkcls and estimate-classes write numbers.  A word without
a class may be listed with UNKNOWN in place of one; <s> and </s> cannot be classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from campanula.formats.errors import DataError, quoted
from campanula.formats.files import display_name, read_lines
from campanula.formats.text.words import split_words

BLANKS = " \t"
BOUNDARIES = ("<s>", "</s>")  # words of every language model, which no class may be
UNKNOWN = b"<unk>"


def read_word_classes(path: str) -> dict[bytes, bytes]:
    """Read the class of each word; raises DataError for a bad line, and for a word twice."""
    classes = dict[bytes, bytes]()
    for place, line in enumerate(read_lines(path), 1):
        word, tab, name = line.partition("\t")
        if not tab or not word or not name or any(blank in word + name for blank in BLANKS):
            problem = f"expected `word<TAB>class`, found {quoted(line)}"
            raise DataError(display_name(path), f"line {place}", problem)
        if name in BOUNDARIES:
            raise DataError(display_name(path), f"line {place}", f"expected a class, found {name}")
        key = word.encode()
        if key in classes:
            problem = f"expected each word once, found {word!r} for the second time"
            raise DataError(display_name(path), f"line {place}", problem)
        classes[key] = name.encode()
    if not classes:
        raise DataError(display_name(path), None, "expected words with classes, found none")
    return classes


def classes_of_lines(
    lines: Iterable[str], classes: Mapping[bytes, bytes], name: str, of: str
) -> Iterator[str]:
    """Yield lines with every word replaced by its class.

    name, of: the files of the text and of the classes, for messages.  Raises DataError for a word
    without a class, which includes those listed with UNKNOWN.
    """
    class_of = {word.decode(): own.decode() for word, own in classes.items() if own != UNKNOWN}
    for place, line in enumerate(lines, 1):
        words = split_words(line)
        try:
            yield " ".join([class_of[word] for word in words])
        except KeyError as error:
            [word] = error.args
            problem = f"expected words that have a class in {of}, found {word!r}"
            raise DataError(name, f"line {place}", problem) from error


def word_class_lines(words: Iterable[tuple[str, int]]) -> Iterable[str]:
    """Yield the line of each word and its class."""
    for word, number in words:
        yield f"{word}\t{number}\n"
