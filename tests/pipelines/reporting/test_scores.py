"""Parts of the page with values: a row a system, a chart a set, groups of all sentences."""

from __future__ import annotations

import re

from campanula.pipelines.reporting import scores
from tests.pipelines.reporting.runs import materials


def cells(markup: str) -> list[list[str]]:
    """Texts of a table's body."""
    body = markup[markup.index("<tbody>") : markup.index("</tbody>")]
    rows = re.findall(r"<tr>(.*?)</tr>", body)
    return [[re.sub("<.*?>", " ", c) for c in re.findall(r"<td.*?>(.*?)</td>", r)] for r in rows]


def test_a_row_a_set_and_system() -> None:
    found = materials("mert", "rampion")
    rows = cells(scores.systems(found))
    assert [row[:2] for row in rows] == [
        [name, system] for name in ("dev", "test") for system in ("untuned", "mert", "rampion")
    ]
    for one, part in zip(found.sets, (rows[:3], rows[3:]), strict=True):
        for place, row in enumerate(part):
            for number, comparison in enumerate(one.comparisons):
                assert row[2 + 2 * number].startswith(f"{comparison.results[place].mean:.2f}")
                if place:
                    difference = comparison.differences[place - 1]
                    shown = f"{difference.value:+.2f} p = {difference.chance.randomisation:.4f}"
                    assert " ".join(row[3 + 2 * number].split()) == shown


def test_verdicts_are_of_the_test_sets() -> None:
    said = re.findall(r"<p.*?>(.*?)</p>", scores.verdicts(materials("mert", "rampion")))
    assert [text.split()[:2] for text in said] == [["test:", "mert"], ["test:", "rampion"]]


def test_curves_of_all_sets() -> None:
    found = scores.curves(materials("mert", "rampion"))
    assert re.findall(r"<b>(.*?)</b>", found) == ["BLEU, dev", "BLEU, test"]
    assert found.count('class="line"') == 4


def test_groups_count_all_sentences_and_words() -> None:
    (_, test) = materials("mert", "rampion").sets
    lengths, words = scores.groups(test).split("<h3>F1")
    assert sum(int(row[1]) for row in cells(lengths)) == len(test.references)
    total = sum(len(test.references.texts(sid)[0].split()) for sid in range(len(test.references)))
    assert sum(int(row[1]) for row in cells(words)) == total
