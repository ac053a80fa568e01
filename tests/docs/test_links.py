"""Links of README.md and of all other pages lead to files and headings that are there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.pages import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(path for name in ("examples", "experiments") for path in (ROOT / name).rglob("*.md")),
]
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.M | re.S)
LINK = re.compile(r"\]\(\s*([^)\s]+)\)")


def links(text: str) -> list[str]:
    """Relative links of a page, outside its code."""
    found = LINK.findall(CODE.sub("", text))
    return [link for link in found if not re.match(r"\w+:", link)]


@cache
def headings(page: Path) -> set[str]:
    """What a link to a heading of a page may name, as GitHub and the site name them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ +(.*)$", text, re.M)
    plain = (re.sub(r"[^\w\- ]", "", title.strip().lower()) for title in titles)
    return {title.replace(" ", "-") for title in plain}


def broken(page: Path, text: str) -> list[str]:
    """Links of a page's text that lead nowhere."""
    wrong = []
    for link in links(text):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (heading and heading not in headings(target)):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page, page.read_text(encoding="utf-8")) == []


def test_what_leads_nowhere_is_seen() -> None:
    page = ROOT / "docs" / "pipelines.md"
    right = (
        "[a](losses.md) [b](#a-run) [c](\nlosses.md#the-losses) [d](https://x.org#y) `[e](x.md)`"
    )
    assert broken(page, right) == []
    assert broken(page, "[a](lost.md) [b](#lost) [c](losses.md#lost)") == [
        "lost.md",
        "#lost",
        "losses.md#lost",
    ]
