"""Markup: what is text is escaped, what is markup stays, tables have their columns."""

from __future__ import annotations

from campanula.pipelines.reporting.markup import Markup, contents, join, section, table, tag


def test_text_is_escaped_and_markup_is_not() -> None:
    made = tag("p", "<script>alert(1)</script> & ", tag("b", "x"), class_='"', data_x=None)
    text = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; "
    assert made == f'<p class="&quot;">{text}<b>x</b></p>'


def test_control_characters_are_visible_symbols() -> None:
    assert tag("td", "a\x1b[31m\x00\x7f\x9b\tb\n") == "<td>a␛[31m␀␡�\tb\n</td>"
    assert tag("i", title="\x1b") == '<i title="␛"></i>'


def test_elements_without_content() -> None:
    assert tag("br") == "<br>"
    assert tag("line", x1=1, stroke_width=2) == '<line x1="1" stroke-width="2"/>'


def test_join_leaves_none_out() -> None:
    assert join(["<", None, Markup("<i>"), 3], " ") == "&lt; <i> 3"


def test_columns_are_texts_or_numbers() -> None:
    made = table(["name", "n"], [["a", 1], ["<b>", 2]], rich=True)
    assert made.startswith('<table class="rich"><thead><tr><th>name</th><th class="number">n</th>')
    assert '<tr><td>&lt;b&gt;</td><td class="number">2</td></tr>' in made


def test_a_section_without_content_is_none() -> None:
    assert section("Time") == section("Time", Markup("")) == ""
    assert (
        section("n-grams won", "x") == '<section id="n-grams-won"><h2>n-grams won</h2>x</section>'
    )


def test_contents_link_to_sections() -> None:
    parts = [section("Time", "x"), Markup(""), section("n-grams of <a> & b", "y")]
    assert contents(parts) == (
        '<nav><a href="#time">Time</a>'
        ' <a href="#n-grams-of-%3Ca%3E-%26-b">n-grams of &lt;a&gt; &amp; b</a></nav>'
    )
