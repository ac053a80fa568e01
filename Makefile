# Every target sets up what it needs in .venv; make and Python 3.11 or later must be there.
# A .venv that make made has a file `folder` with the path; one without is the user's own, and stays.
PYTHON ?= python3
BIN := .venv/bin
CLEAR := if test -f .venv/folder; then rm -rf .venv; fi

.NOTPARALLEL:
.PHONY: demo docs test check coverage lint bench bench-scale long torture fuzz clean fresh

# French to English, from parallel text to tuned weights, in a few minutes; work/demo keeps it all.
# TUNE takes other settings: make demo TUNE="--eta 1e-3".
demo: .venv/demo.stamp
	$(BIN)/python -m campanula.pipelines.demo --work-dir work/demo --tune="$(TUNE)"

# The documentation as a site, in work/site: begin with its index.html.  A link that leads nowhere is an error.
docs: .venv/docs.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "docs: work/site/index.html"

# What CI runs.  The second run has the kernels interpreted, where a bad index is an error.
test: lint
	$(BIN)/pytest -n 2 -m "not long" --durations=20
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m "not slow" tests/stages/kernels

# What is quick: before a commit.
check: lint
	$(BIN)/pytest -q -n 2 -m "not slow"

# The tests that are not slow, or those of TESTS, and which lines they do not run.  What is compiled
# does not count its lines, so the kernels are interpreted.
TESTS ?= tests
coverage: .venv/test.stamp
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -n 2 -m "not slow" $(TESTS) \
		--cov=campanula --cov=formats --cov=stages --cov=pipelines --cov-report=term-missing:skip-covered

lint: .venv/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/test.stamp
	$(BIN)/pytest -q benchmarks -o addopts=--import-mode=importlib --benchmark-only

# Passes over synthetic collections, of both shapes; 45000000 features are those of the papers (docs/scale.md).
FEATURES ?= 4500000
bench-scale: .venv/test.stamp
	CAMPANULA_FEATURES=$(FEATURES) $(BIN)/python -m benchmarks.bench_scale --shape narrow
	CAMPANULA_FEATURES=$(FEATURES) $(BIN)/python -m benchmarks.bench_scale --shape wide

# The tests that take too long for `make test`.
long: .venv/test.stamp
	$(BIN)/pytest -q -n 2 -m long

# Those, then all proofs of docs/reliability.md that kill: runs of `tune` KILLS times at random moments, workers of dask
# for SECONDS, and the loops of millions of features.
SECONDS ?= 300
KILLS ?= 1000
SEED ?= 1
torture: long
	$(BIN)/python -m tests.reliability.torture --kills $(KILLS) --seed $(SEED)
	$(BIN)/python -m tests.reliability.workers --seconds $(SECONDS) --seed $(SEED)
	$(BIN)/python -m tests.reliability.relevant_set --seed $(SEED)
	$(BIN)/python -m tests.reliability.expected_bleu --seed $(SEED)

# A million damaged inputs, each to a command: refused in one line, or read without a loss.
N ?= 1000000
fuzz: .venv/test.stamp
	$(BIN)/python -m tests.fuzzing --seed $(SEED) --count $(N)

clean:
	$(CLEAR)
	rm -rf build dist work *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# What make made and was then moved or copied here is made again.
ifneq ($(shell test -e .venv && ! test -f .venv/folder && echo own),own)
ifneq ($(shell test -x $(BIN)/python && cat .venv/folder 2>/dev/null),$(CURDIR))
REMAKE := fresh
endif
endif

.venv/%.stamp: pyproject.toml Makefile $(REMAKE)
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || \
		{ echo ".venv has no Python with pip that runs: remove it, and make sets up another" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	$(BIN)/python -m compileall -q $(addprefix campanula/,. formats stages pipelines)
	touch $@

fresh:
	$(CLEAR)
	mkdir .venv
	echo "$(CURDIR)" > .venv/folder
	$(PYTHON) -m venv .venv
