from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.tuning.reaching import reaching


def test_a_hypothesis_reaches_a_reference_word_by_word():
    texts, names = ["a  b", "a c", "b a", ""], Names()
    features = Features.of([{"x": 1.0}] * len(texts), names)
    kbest = KBest(1, Texts.of(texts), features, names)
    references = References(Texts.of(["z", "z", "a b", "a c d"]), ("one", "two"))
    assert reaching(kbest, references).tolist() == [True, False, False, False]
    assert not reaching(kbest, None).any()
