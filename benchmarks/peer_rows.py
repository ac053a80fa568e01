"""The rows of `bench_peers`: command lines of the others and of ours.

Each has one thread unless the row is about threads.  Of several others the first whose program is
installed is taken: a peer, else the same work in plain NumPy.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.peer_data import KENLM, MOSES, MOSES_INI, PLAIN, ROOT, Task

Command = Callable[[Task], str]


@dataclass(frozen=True)
class Other:
    """A peer: its name in the table, its command, and the program that the command needs."""

    name: str
    command: Command
    program: str = PLAIN

    @property
    def is_there(self) -> bool:
        # PLAIN begins with `env`, so that plain NumPy is always there
        return shutil.which(self.program.split()[0]) is not None


@dataclass(frozen=True)
class Row:
    """A row: its name, the others in order of preference, our command.

    agree: function that compares the answers in a few words, or None.
    """

    name: str
    others: tuple[Other, ...]
    ours: Command
    agree: Command | None = None

    @property
    def other(self) -> Other | None:
        """The first that is there."""
        return next((other for other in self.others if other.is_there), None)


def moses(program: str, command: Command) -> Other:
    return Other(f"Moses `{program}`", command, str(MOSES / program))


def kenlm(program: str, command: Command) -> Other:
    return Other(f"KenLM `{program}`", command, str(KENLM / program))


def plain(what: str, files: Command) -> Other:
    """The same in plain NumPy."""
    return Other("plain NumPy", lambda task: f"{PLAIN} {what} {files(task)}")


def decode(task: Task, flags: str) -> str:
    """Our decoder on the validation set, with Moses's default weights."""
    return task.ours(f"decode {task.source} --moses-ini {MOSES_INI} -q {flags}")


def moses2(task: Task, flags: str) -> str:
    """Moses2 on the same with cube pruning, pop limit 1000, stack 200."""
    return f"{MOSES}/moses2 -f {task.moses2_ini} -i {task.source} --threads 1 {flags}"


def best(task: Task) -> str:
    return decode(task, "-k 1 -o ours.best")


def moses2_best(task: Task) -> str:
    return moses2(task, "--output-hypo-score true > theirs.best")


def many(task: Task) -> str:
    return f"{decode(task, '-k 500')} | {task.ours('export-nbest -q -o ours.nbest')}"


def moses2_many(task: Task) -> str:
    return moses2(task, "--n-best-list theirs.nbest 500 > theirs.many")


def query(task: Task, model: object) -> str:
    # -v sentence: a total for each line, and nothing for each word
    return f"{KENLM}/query -v sentence {model} < {task.texts} > theirs.lm"


def add_lm(task: Task) -> str:
    lists = task.kbest(1)
    return task.ours(f"add-feature lm --arpa {task.arpa} --name Peer {lists} -q -o ours.lm")


def lmplz(task: Task) -> str:
    """With 1 GB to sort in: by its default, 80 % of the memory, it takes some times as long."""
    # --discount_fallback: else it refuses texts as small as the first sentence alone
    return f"{KENLM}/lmplz -o 5 -S 1G --discount_fallback < {task.train} > theirs.arpa"


def estimate_lm(task: Task) -> str:
    return task.ours(f"estimate-lm {task.train} --order 5 -q -o ours.arpa")


def statistics(task: Task) -> str:
    """BLEU statistics from text, a pipe of two processes."""
    score = f"score-bleu --ref {task.reference} -q -o ours.scored"
    return f"{task.ours(f'import-nbest {task.lists(1)} -q')} | {task.ours(score)}"


def extractor(task: Task, flags: str) -> str:
    """Its statistics as text are made once, to compare."""
    if not (task.folder / "text.scores").exists():
        task.shell(task.extractor(1, "text"))
    return task.extractor(1, "theirs", flags)


def optimize(task: Task, lists: object, flags: str) -> str:
    return task.ours(f"optimize {lists} --weights {task.weights} {flags} -q -o ours.weights")


def line_search(task: Task) -> str:
    return optimize(task, task.merged, "--loss cost --solver line-search --restarts 20")


def mert(task: Task) -> str:
    scores, features = (
        ",".join(f"{s}.{end}" for s in task.stems) for end in ("scores", "features")
    )
    # -d: number of weights; -n: as many tries as our restarts; -r: a seed, or it would be the
    # clock, and each run would have other work; the output's name cannot be chosen
    data = f"--ffile {features} --scfile {scores} --ifile {task.moses_init} -d 14 -n 20 -r 1"
    return f"{MOSES}/mert {data} --scconfig case:true && mv weights.txt theirs.weights"


def batch_mira(task: Task) -> str:
    return optimize(task, task.merged, "--solver batch-mira")


def kbmira(task: Task) -> str:
    files = " ".join(f"--ffile {stem}.features --scfile {stem}.scores" for stem in task.stems)
    # -r: a seed, or it would be the clock; 60 epochs are the default of both
    return f"{MOSES}/kbmira -r 1 --dense-init {task.moses_dense} {files} -o theirs.weights"


def expected_bleu(task: Task) -> str:
    # no penalty, and no end before iteration 50: the peer has neither
    flags = "--loss expected-bleu --solver rprop --iterations 50 --tau 0 --tolerance 0"
    return optimize(task, task.gained, flags)


def train_expected_bleu(task: Task) -> str:
    # without the decoder's score, which it would add to that of its weights; ours has none
    data = f"-n {task.prepared} -b gains -f names -w start --ignore-decoder-score 1 -i 50"
    return f"{MOSES}/train-expected-bleu {data} > theirs.out"


def pipe(task: Task) -> str:
    """The README's first example: three commands in a pipe."""
    examples = ROOT / "examples"
    refs = f"--ref {examples}/dev.web --ref {examples}/dev.kjv"
    return " | ".join(
        task.ours(words)
        for words in (
            f"import-nbest {examples}/dev.nbest.gz -q",
            f"score-bleu {refs} - -q",
            f"optimize - --weights {examples}/weights -q -o ours.tuned",
        )
    )


def threads(task: Task, what: str, jobs: int) -> str:
    """A command with a number of threads, whose output is named by that number."""
    ends = f"--jobs {jobs} -q -o jobs{jobs}"
    commands = {
        "decode": f"decode {task.source} --moses-ini {MOSES_INI} {ends}",
        "mert": f"optimize {task.merged} --weights {task.weights} --loss cost {ends}",
        "bleu": f"score-bleu {task.kbest(1)} --ref {task.reference} {ends}",
        "ter": f"score-bleu {task.kbest(1)} --ref {task.reference} --metric ter {ends}",
        "import": f"import-nbest {task.lists(1)} {ends}",
        "export": f"export-nbest {task.kbest(1)} {ends}",
    }
    return task.ours(commands[what])
