"""Stems, against the examples that Porter's paper gives with its rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from campanula.stages.metrics.porter import porter_stem

# Porter 1980, "An algorithm for suffix stripping": the examples of all steps, each with what the
# steps after it leave of the word
PAPER = """
caresses caress  ponies poni  ties ti  caress caress  cats cat
feed feed  agreed agre  plastered plaster  bled bled  motoring motor  sing sing
conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  falling fall
hissing hiss  fizzed fizz  failing fail  filing file
happy happi  sky sky
relational relat  conditional condit  rational ration  valenci valenc  hesitanci hesit
digitizer digit  conformabli conform  radicalli radic  differentli differ  vileli vile
analogousli analog  vietnamization vietnam  predication predic  operator oper  feudalism feudal
decisiveness decis  hopefulness hope  callousness callous  formaliti formal  sensitiviti sensit
sensibiliti sensibl
triplicate triplic  formative form  formalize formal  electriciti electr  electrical electr
hopeful hope  goodness good
revival reviv  allowance allow  inference infer  airliner airlin  gyroscopic gyroscop
adjustable adjust  defensible defens  irritant irrit  replacement replac  adjustment adjust
dependent depend  adoption adopt  homologou homolog  communism commun  activate activ
angulariti angular  homologous homolog  effective effect  bowdlerize bowdler
probate probat  rate rate  cease ceas
controll control  roll roll
generalizations gener  oscillators oscil
connect connect  connected connect  connecting connect  connection connect  connections connect
"""


def examples() -> dict[str, str]:
    words = PAPER.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def test_the_examples_of_the_paper() -> None:
    assert {word: porter_stem(word) for word in examples()} == examples()


def test_what_has_no_stem_is_its_own() -> None:
    for word in ("", "a", "as", "is", "s", ".", "...", "19", "Ärger", "DOGS", "\u4e2d\u6587"):
        assert porter_stem(word) == word


def test_double_letters() -> None:
    words = ["hopping", "trekking", "falling", "buzzing"]
    assert list(map(porter_stem, words)) == ["hop", "trekk", "fall", "buzz"]


def test_threads_may_stem_at_once() -> None:
    words = list(examples()) * 20
    porter_stem.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(porter_stem, words)) == [examples()[word] for word in words]
