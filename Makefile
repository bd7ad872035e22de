# Needs git, make and Python 3.11 with venv. Everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
WORKERS ?= 2

.PHONY: demo test check fix faults e2e bench cog clean

$(VENV)/base.done: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt -e .
	touch $@

$(VENV)/dev.done: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/base.done

demo: $(VENV)/base.done
	$(BIN)/agentjournal demo

test: check
	$(BIN)/python -m pytest -q -n $(WORKERS) -m 'not faults and not e2e'

check: $(VENV)/dev.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/cog --check -r docs/reference/*.md

fix: $(VENV)/dev.done
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/cog -r docs/reference/*.md

faults: $(VENV)/dev.done
	$(BIN)/python -m pytest -q -n $(WORKERS) -m faults tests/faults

$(VENV)/e2e.done: tests/e2e/requirements.txt $(VENV)/dev.done
	$(PIP) install --no-deps -r tests/e2e/requirements.txt
	touch $@

e2e: $(VENV)/e2e.done
	$(BIN)/python -m pytest -q -m e2e tests/e2e tests/compat

bench: $(VENV)/dev.done
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV)
