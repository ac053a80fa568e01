"""Lists of a stream as text, page by page, in forked processes: the bytes are those of one process.

The text of a list may depend on the lists before it: a format remembers, for instance, how many
values a label has.  So the first lists are written by this process, and forked processes write only
lists whose dense features have occurred among them.
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
from campanula.stages.nbest.typesetting import by_kernels, by_lines
from campanula.stages.parallel.forked_lists import FIRST, Item, PackedLists, Share, Watch, in_parts
from campanula.stages.parallel.forks import Buffer


class Pages:
    """The pages of lists, one by one; `shown` returns a list with the texts that are written."""

    def __init__(
        self, shown: Callable[[KBest], KBest], pages: Iterator[Page], asked: deque[KBest]
    ) -> None:
        self._shown = shown
        self._pages = pages
        self._asked = asked
        self._seen: set[bytes] = set()

    @classmethod
    def of(cls, form: ListFormat, source: str, shown: Callable[[KBest], KBest]) -> Pages | None:
        """Return the pages of a format, None for a format without.  source: the lists in errors."""
        asked: deque[KBest] = deque()
        # The format's generator takes the list that `page` has just put into the queue; no list
        # is None, so this iterator does not end.
        pages = form.pages(iter(asked.popleft, None), source)
        return None if pages is None else cls(shown, pages, asked)

    def page(self, kbest: KBest) -> Page:
        """Return the page of the next list; raises DataError for what the format cannot hold."""
        self._seen.add(_layout(kbest))
        self._asked.append(self._shown(kbest))
        return next(self._pages)

    def knows(self, kbest: KBest) -> bool:
        """Whether a list with the same dense features came before."""
        return _layout(kbest) in self._seen


def _layout(kbest: KBest) -> bytes:
    return kbest.features.dense_id.tobytes()


class PageShare(Share):
    """Writes the lists whose dense features are those of a list before."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def work(self, kbest: KBest) -> Buffer:
        """Return the lines of a list; raises ValueError for one with other dense features."""
        if not self._pages.knows(kbest):
            raise ValueError("a list that is laid out otherwise")
        return by_kernels(self._pages.page(kbest))

    def notes(self) -> Any:
        """Return None: the text is all."""
        return None


class ForkedTypesetting:
    """Writes the lists of a stream; `few`: the number of parts of lines written without kernels."""

    def __init__(self, lists: Reader[KBest], pages: Pages, jobs: int, few: int) -> None:
        self._lists = lists
        self._pages = pages
        self._jobs = jobs
        self._few = few
        self._n_parts = 0

    def write(self, out: Output, watch: Watch) -> None:
        """Write all lists in order; `watch` shows the progress."""
        for item in watch(self._items(out)):
            if isinstance(item, KBest):
                out.write(self._text(item))

    def _text(self, kbest: KBest) -> Buffer:
        page = self._pages.page(kbest)
        few = self._n_parts <= self._few
        self._n_parts += page.size * len(page.parts)
        return by_lines(page) if few else by_kernels(page)

    def _items(self, out: Output) -> Iterator[Item]:
        """Yield an item for each list, and write the text that processes have made."""
        # FIRST lists by kernels before the fork, so that the forks have the kernels loaded
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
