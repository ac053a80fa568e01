from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.chrf import Chrf
from campanula.stages.metrics.likeness import Likeness

TOKENISED = "A cat , a dog ."
PLAIN = "A cat, a dog."


def lists(texts):
    names = Names()
    return [KBest(i, Texts.of([text]), Features.of([{}], names), names) for i, text in texts]


def warning(metric, text, reference):
    likeness = Likeness(References.of([reference] * 9), metric)
    watched = lists(enumerate([text] * 9))
    assert list(likeness.watch(watched)) == watched
    return likeness.warning()


def test_a_warning_says_what_the_metric_counts():
    assert warning(Bleu(), TOKENISED, PLAIN) == "the texts are tokenised, the references are not"
    assert warning(Bleu(tokenize="13a"), TOKENISED, PLAIN) is None
    assert warning(Chrf(), TOKENISED, PLAIN) is None
    lower = TOKENISED.lower() * 3
    assert "lower-case" in str(warning(Bleu(), lower, TOKENISED * 3))
    assert warning(Bleu(lowercase=True), lower, TOKENISED * 3) is None


def test_a_list_without_a_reference_is_no_matter():
    likeness = Likeness(References.of(["a"]), Bleu())
    assert len(list(likeness.watch(lists([(5, "b@@ c")])))) == 1
    assert likeness.warning() is None
