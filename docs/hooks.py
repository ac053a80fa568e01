"""Hooks of mkdocs: pages link to files outside docs/, and the site has those, too.

README.md is the site's first page; other files outside docs/ stand below repository/, at their
paths in it.  Links to them are rewritten, so that the same text is right here and there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS, ELSEWHERE = "docs/", "repository/"
HOME = {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(\]\(\s*)([^)#:\s]+)([^)\s]*\))")
"""Link to a file: what is before its path, the path, and what is after it."""


def place(path: str) -> str:
    """Where a file of the repository is in the site; both paths are from their roots."""
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return HOME.get(path, f"{ELSEWHERE}{path}")


def target(path: str, link: str) -> str:
    """File of the repository that a link in another one leads to, from the root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def rewritten(text: str, path: str, exists: Callable[[str], bool]) -> str:
    """A page of the repository with its links as they must be in the site."""

    def link(match: re.Match[str]) -> str:
        before, to, after = match.groups()
        file = target(path, to)
        if not exists(file):
            return match[0]
        return f"{before}{posixpath.relpath(place(file), posixpath.dirname(place(path)))}{after}"

    return LINK.sub(link, text)


def linked(text: str, path: str, exists: Callable[[str], bool]) -> list[str]:
    """Files of the repository that a page links to, from the root."""
    files = dict.fromkeys(target(path, match[2]) for match in LINK.finditer(text))
    return [file for file in files if exists(file)]


def is_file(path: str) -> bool:
    """Whether the repository has a file."""
    return (ROOT / path).is_file()


def outside() -> list[str]:
    """Files outside docs/ that are in the site: README.md, and all that pages lead to."""
    pages = [f"{DOCS}{path.name}" for path in sorted((ROOT / DOCS).glob("*.md"))]
    waiting = [*HOME, *pages]
    seen = dict.fromkeys(waiting)
    while waiting:
        page = waiting.pop()
        if page.endswith(".md"):
            text = (ROOT / page).read_text(encoding="utf-8")
            new = [file for file in linked(text, page, is_file) if file not in seen]
            seen.update(dict.fromkeys(new))
            waiting += new
    return [file for file in seen if not file.startswith(DOCS)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files outside docs/ to those of the site."""
    from mkdocs.structure.files import File

    for path in outside():
        files.append(File.generated(config, place(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite the links of a page."""
    source = page.file.generated_by and page.file.abs_src_path
    path = Path(source).relative_to(ROOT).as_posix() if source else f"{DOCS}{page.file.src_uri}"
    return rewritten(markdown, path, is_file)
