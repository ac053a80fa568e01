"""The tables of a comparison."""

from __future__ import annotations

from campanula.stages.comparing.comparison import Comparison, Difference, Result
from campanula.stages.comparing.reporting import tables_of
from campanula.stages.comparing.significance import Chance
from campanula.stages.comparing.table_formats import as_text

BASE, NEW = Result("base", (20.0, 21.0), (19.0, 22.0)), Result("new", (22.25,), (21.5, 23.0))
OTHER = Result("ü", (7.125,), (7.0, 8.5))
GAIN = Difference("base", "new", 1.75, Chance(0.04, 0.00025, 30, False), 0.0005, (0.5, 3.0))
LOSS = Difference("base", "ü", -13.375, Chance(0.001, 2.0**-15, 16, True), 2.0**-14, (-20.0, -5.0))
BLEU = Comparison("BLEU", "BLEU|nrefs:1", True, [BASE, NEW], [GAIN])
TER = Comparison("TER", "TER|nrefs:1", False, [BASE, NEW, OTHER], [GAIN, LOSS])


def text(*comparisons: Comparison, all_pairs: bool = False) -> list[str]:
    return list(as_text(list(tables_of(comparisons, all_pairs))))


def test_against_the_first() -> None:
    assert text(BLEU) == [
        "BLEU|nrefs:1",
        "system  files   mean    sd  95 % from     to   diff  differ  bootstrap p  randomisation p",
        "base        2  20.50  0.71      19.00  22.00",
        "new         1  22.25            21.50  23.00  +1.75      30       0.0400           0.0003",
    ]


def test_several_differences_are_corrected_and_what_is_exact_is_said() -> None:
    found = text(TER)
    assert found[0] == "TER|nrefs:1 (lower is better)"
    assert found[1].endswith("randomisation p  Holm p")
    assert found[3].split()[-2:] == ["0.0003", "0.0005"]
    assert found[4].split()[-3:] == ["0.0010", "3e-05", "0.0001"]
    assert found[5:] == [
        "ü against base: 16 sentences differ; randomisation p is exact, over all ways to swap them"
    ]


def test_all_pairs_have_a_table_of_their_own() -> None:
    found = text(TER, all_pairs=True)
    assert found[1] == "system  files   mean    sd  95 % from     to"
    assert found[7].split()[:4] == ["system", "against", "diff", "differ"]
    assert found[8].split()[:4] == ["new", "base", "+1.75", "30"]
    assert found[9].split()[:4] == ["ü", "base", "-13.38", "16"]


def test_one_system_is_not_compared() -> None:
    alone = Comparison("BLEU", "BLEU|nrefs:1", True, [BASE], [])
    assert len(text(alone)) == len(text(alone, all_pairs=True)) == 3


def test_a_mean_of_gains_is_shown_to_more_digits() -> None:
    mean = Comparison("comet", "comet", True, [Result("a", (0.81239,), (0.7, 0.9))], [], digits=4)
    assert text(mean)[2].split() == ["a", "1", "0.8124", "0.7000", "0.9000"]
