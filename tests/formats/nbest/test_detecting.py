from __future__ import annotations

import pytest

from campanula.formats.nbest.detecting import detect


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("0 ||| the cat  ||| LM0= -17 TM0= 1 2 ||| -3.8 ||| 0-0", "moses"),
        ("0 ||| the cat ||| -17 2 ||| -3.8", "moses"),
        ("0 ||| a=1 b ||| Glue=1 LM=-3.2 ||| -4.1", "cdec"),
        ("0 ||| the cat ||| lm_0=-17.400 tm_pt_0=-0.200 ||| -3.810", "cdec"),
        ("0 ||| the cat ||| -3.81 ||| lm=-17.4 w=2", "travatar"),
        ("0 ||| the cat ||| -3,81 ||| lm=-17.4 w=2", "travatar"),
        ("0||| the cat ||| (S a) ||| lm=-17.4 w=2 ||| -3", "cdec"),
        ("0 ||| the cat ||| LM: -1.7E1 WordPenalty: -2E0 ||| -3.8E0 ||| 0-0 1-1", "phrasal"),
        ("0 ||| the cat ||| F0= -1.38 F1= -2.01 ||| -0.69", "marian"),
        ("0 ||| the cat ||| 0-0 ||| WordScores= -0.5 ||| F0= -1.38 ||| -0.69", "marian"),
        ("0 ||| a ||| F0=-1.38 ||| -0.69", "marian"),
        ("S-12\tle chat", "fairseq"),
        ("H-12\t-0.42\tthe cat", "fairseq"),
        ('{"id": 0, "text": "a"}', "jsonl"),
        ("id\ttext\tlm", "tsv"),
        ("lm\tsid\ttext", "tsv"),
        ('[{"id": 0, "text": "a"}]', "json"),
        ('{"alternatives": [{"text": "a", "confidence": 2}]}', "vosk"),
        ('{"utt_id": "a", "hyps": ["b"]}', "hypr"),
        ("id,text,lm", "csv"),
        ("NBestList1.0", "srilm"),
        ("-310.5 -12.25 2 hello word", "srilm"),
        ("hello word\t-12.5", "nemo"),
        ("spk1-utt1-1 hello word", "kaldi"),
        ("spk1-utt1-2 hello word", None),
        ("the cat", None),
        ("", None),
    ],
)
def test_the_first_lines_show_the_format(line: str, form: str | None) -> None:
    assert detect([line]) == form
    assert detect(["", line, line]) == form


def test_a_line_without_labels_leaves_it_to_the_next() -> None:
    assert detect(["0 ||| a ||| ||| 0.000", "0 ||| a ||| lm_0=1 ||| 2"]) == "cdec"


def test_log_lines_before_the_first_sentence() -> None:
    assert detect(["| [de] dictionary: 8848 types", "S-0\ta", "H-0\t-1\tb"]) == "fairseq"
