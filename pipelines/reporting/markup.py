"""HTML and SVG as text: text is escaped unless it is Markup, control characters become visible.

tag("p", "a < b, ", tag("b", "so"))         <p>a &lt; b, <b>so</b></p>
tag("td", 1, class_="number")               <td class="number">1</td>
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from html import escape, unescape
from urllib.parse import quote

# A raw ESC or NUL makes the page invalid, and a terminal that shows it may obey it.
PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
PICTURES |= {0x7F: "\u2421", **dict.fromkeys(range(0x80, 0xA0), "\ufffd")}
"""Visible symbols of control characters: U+2400 to U+2421; those of C1 have none but U+FFFD."""


class Markup(str):
    """Text that is HTML and is not escaped again."""

    __slots__ = ()


Child = str | int | None
VOID = ("br", "meta", "input", "line", "rect", "path", "circle")


def tag(name: str, /, *children: Child, **attributes: Child) -> Markup:
    """Return an element; children and attributes that are None are left out.

    In the name of an attribute a final underscore is dropped, and any other becomes a hyphen.
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            word = key.rstrip("_").replace("_", "-")
            words.append(f'{word}="{escape(visible(str(value)))}"')
    head = " ".join(words)
    if name in VOID:
        # the elements of SVG must be closed; the empty ones of HTML are not
        return Markup(f"<{head}>" if name in ("br", "meta", "input") else f"<{head}/>")
    return Markup(f"<{head}>{join(children)}</{name}>")


def join(children: Iterable[Child], between: str = "") -> Markup:
    """Join elements and texts; None is left out, text is escaped."""
    shown = (
        # between tags a quotation mark is harmless, and unescaped it keeps the page readable
        c if isinstance(c, Markup) else escape(visible(str(c)), quote=False)
        for c in children
        if c is not None
    )
    return Markup(between.join(shown))


def visible(text: str) -> str:
    """Text with a visible symbol in place of every control character but tab and line end."""
    return text.translate(PICTURES)


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[Child]],
    *,
    texts: Container[int] = (0,),
    rich: bool = False,
) -> Markup:
    """A table; texts: columns that hold text, not numbers; rich: can be filtered and sorted."""
    kinds = [None if column in texts else "number" for column in range(len(head))]
    top = [tag("th", cell, class_=kind) for cell, kind in zip(head, kinds, strict=True)]
    body = [
        tag("tr", *(tag("td", cell, class_=k) for cell, k in zip(row, kinds, strict=True)))
        for row in rows
    ]
    kind = "rich" if rich else None
    return tag("table", tag("thead", tag("tr", *top)), tag("tbody", *body), class_=kind)


def section(title: str, *children: Child) -> Markup:
    """A section of the page with its heading; empty markup where there is no content."""
    if not any(children):
        return Markup("")
    return tag("section", tag("h2", title), *children, id=title.lower().replace(" ", "-"))


def contents(parts: Iterable[Markup]) -> Markup:
    """Links to the sections among parts, by their headings."""
    headings = re.findall(r'^<section id="(.*?)"><h2>(.*?)</h2>', "\n".join(parts), re.M)
    # cut out of the page, both are escaped already: the title stays so, the id is for a URL
    links = (tag("a", Markup(title), href=f"#{quote(unescape(name))}") for name, title in headings)
    return tag("nav", join(links, " "))
