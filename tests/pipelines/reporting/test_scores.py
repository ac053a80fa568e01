"""Parts of the page with values: a row a system, a chart a set, groups of all sentences."""

from __future__ import annotations

import re
from dataclasses import replace

from campanula.pipelines.reporting import scores
from campanula.pipelines.reporting.materials import gathered
from campanula.pipelines.reporting.verdict import direction
from campanula.stages.metrics.table import metric_named
from tests.pipelines.reporting.runs import materials, run


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
    printed = re.findall(r"<p.*?>(.*?)</p>", scores.verdicts(materials("mert", "rampion")))
    assert [text.split()[:3] for text in printed] == [
        ["On", "test,", "mert"],
        ["On", "test,", "rampion"],
    ]


def test_who_sees_it_for_the_first_time_reads_what_is_what() -> None:
    found = materials("mert", "rampion")
    size = len(found.sets[0].references)
    assert scores.introduction(found) == (
        '<p class="note">untuned is mert before tuning, with its initial weights.'
        f" Weights were tuned on dev ({size} sentences). Not seen in tuning: test ({size}).</p>"
    )
    alone = replace(found, sets=found.sets[:1])
    assert scores.introduction(alone).endswith(f"tuned on dev ({size} sentences).</p>")


def test_curves_of_all_sets() -> None:
    found = scores.curves(materials("mert", "rampion"))
    assert re.findall(r"<b>(.*?)</b>", found) == ["BLEU, dev", "BLEU, test"]
    assert found.count('class="line"') == 4


def test_curves_say_which_metric_the_runs_went_by() -> None:
    """The page may be asked for other metrics, of which the histories know nothing."""
    found = gathered([run("mert")], [metric_named("wer")], 1)
    assert found.sets[0].comparisons[0].metric == "WER"
    assert re.findall(r"<b>(.*?)</b>", scores.curves(found)) == ["BLEU, dev", "BLEU, test"]


def test_differences_that_are_told_apart_have_a_colour() -> None:
    found = materials("mert", "rampion")
    printed = re.findall(r'<span class="(\w+)">[-+][0-9.]+</span>', scores.systems(found))
    every = [(c, d) for one in found.sets for d in range(2) for c in one.comparisons]
    assert printed == [direction(c, c.differences[place]) for c, place in every]


def test_groups_count_all_sentences_and_words() -> None:
    (_, test) = materials("mert", "rampion").sets
    lengths, words = scores.groups(test).split("<h3>F1 ")
    assert sum(int(row[1]) for row in cells(lengths)) == len(test.references)
    words_of = [int(row[1].replace(",", "")) for row in cells(words)]
    total = sum(len(test.references.texts(sid)[0].split()) for sid in range(len(test.references)))
    assert sum(words_of) == total


def test_groups_of_replicates_say_which_are_means() -> None:
    assert "values by length are means" in scores.groups(materials("mert", "rampion").sets[1])
    assert "replicate" not in scores.groups(materials("rampion").sets[1])
