# Every target sets up what it needs in .venv; make and Python 3.11 or later must be there.
PYTHON ?= python3
BIN := .venv/bin

.NOTPARALLEL:
.PHONY: demo test check lint bench clean fresh

# French to English, from parallel text to tuned weights, in a few minutes; work/demo keeps it all.
# TUNE takes other settings: make demo TUNE="--eta 1e-3".
demo: .venv/demo.stamp
	$(BIN)/python -m campanula.pipelines.demo --work-dir work/demo --tune="$(TUNE)"

# What CI runs.  The second run has the kernels interpreted, where a bad index is an error.
test: lint
	$(BIN)/pytest -n 2
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 tests/stages/kernels

# What is quick: before a commit.
check: lint
	$(BIN)/pytest -q -n 2 -m "not slow"

lint: .venv/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/test.stamp
	$(BIN)/pytest -q benchmarks -o addopts=--import-mode=importlib --benchmark-only

clean:
	rm -rf .venv build dist work *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# An environment holds its folder's path: one that was moved or copied here is made again.
ifneq ($(shell test -x $(BIN)/python && cat .venv/folder 2>/dev/null),$(CURDIR))
.venv/%.stamp: pyproject.toml Makefile fresh
else
.venv/%.stamp: pyproject.toml Makefile
endif
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	echo "$(CURDIR)" > .venv/folder
	touch $@

fresh:
	$(PYTHON) -m venv --clear .venv
