"""Lists of a stream as text, page by page, in forked processes: the bytes are those of one process.

A format may go by what the lists before have shown, such as how many values a label has.  So the
first lists are written here, and processes write those alone whose dense features were among them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from campanula.formats.files import Output
from campanula.formats.nbest import ListFormat
from campanula.formats.nbest.pages import Page
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages.forked_lists import FIRST, Item, PackedLists, Share, Watch, in_parts
from campanula.stages.forks import Buffer
from campanula.stages.typesetting import Text, by_kernels, by_lines


class Pages:
    """The pages of lists, one by one; shown: gives a list with the texts that are written."""

    def __init__(
        self, shown: Callable[[KBest], KBest], pages: Iterator[Page], asked: deque[KBest]
    ) -> None:
        self._shown, self._pages, self._asked = shown, pages, asked
        self._seen: set[bytes] = set()

    @classmethod
    def of(cls, form: ListFormat, source: str, shown: Callable[[KBest], KBest]) -> Pages | None:
        """The pages of a format; None for one that has none.  source: what the lists are called."""
        asked: deque[KBest] = deque()
        pages = form.pages(iter(asked.popleft, None), source)
        return None if pages is None else cls(shown, pages, asked)

    def page(self, kbest: KBest) -> Page:
        """The page of the next list; raises DataError for what the format cannot hold."""
        self._seen.add(_layout(kbest))
        self._asked.append(self._shown(kbest))
        return next(self._pages)

    def knows(self, kbest: KBest) -> bool:
        """Whether a list with the same dense features came before."""
        return _layout(kbest) in self._seen


def _layout(kbest: KBest) -> bytes:
    return kbest.features.dense_id.tobytes()


class PageShare(Share):
    """Writes lists that are laid out like those before."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def of(self, kbest: KBest) -> Buffer:
        """The lines of a list."""
        if not self._pages.knows(kbest):
            raise ValueError("a list that is laid out otherwise")
        return by_kernels(self._pages.page(kbest))

    def notes(self) -> Any:
        """Nothing."""
        return None


class ForkedTypesetting:
    """Writes the lists of a stream; few: parts of lines that are written without kernels."""

    def __init__(self, lists: Reader[KBest], pages: Pages, jobs: int, few: int) -> None:
        self._lists, self._pages, self._jobs = lists, pages, jobs
        self._few = few
        self._n_parts = 0

    def write(self, out: Output, watch: Watch) -> None:
        """Write all lists, in order; watch passes on what stands for a list each."""
        for item in watch(self._items(out)):
            if isinstance(item, KBest):
                out.write(self._text(item))

    def _text(self, kbest: KBest) -> Text:
        page = self._pages.page(kbest)
        few = self._n_parts <= self._few
        self._n_parts += page.size * len(page.parts)
        return by_lines(page) if few else by_kernels(page)

    def _items(self, out: Output) -> Iterator[Item]:
        """Yield what stands for each list, and write what processes have made of them."""
        with_kernels = 0
        for kbest in self._lists:
            with_kernels += self._n_parts > self._few
            yield kbest
            if with_kernels == FIRST:
                break
        else:
            return
        for item in in_parts(self._lists, PageShare(self._pages), self._jobs):
            if isinstance(item, PackedLists):
                out.write(item.data)
            else:
                yield item
