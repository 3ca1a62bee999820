# Everything one does twice. On a fresh machine: Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
CORES := $(shell nproc 2>/dev/null || echo 2)

.PHONY: setup test lint format rules bench strength golden wheel clean

setup: $(READY)  ## the environment with what constraints.txt pins

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludoteca needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	@touch $(READY)

test: setup lint  ## everything; then the kernels again with every index checked
	$(BIN)/pytest -n $(CORES) --dist loadgroup
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n $(CORES) -m kernels

lint: setup  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

rules: setup  ## the numbered rules with the tests that prove them
	@$(BIN)/pytest --rules -q

bench: setup  ## every figure that we claim
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt ".[bench]" || true
	$(BIN)/python bench/run.py

strength: setup  ## the levels against each other; writes docs/strength.md
	$(BIN)/python bench/strength.py

golden: setup  ## the golden transcripts anew; read the difference before you commit it
	$(BIN)/pytest --golden tests/registry/test_golden.py

wheel: setup  ## dist/ludoteca-*.whl
	rm -rf dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
