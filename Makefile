# Needs git, make and Python 3.11 with venv. Everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
WORKERS ?= 2
# `make laws` and `make faults` draw other inputs each time; SEED=... as they print it gives the same.
SEED := $(or $(SEED),$(shell date +%s))
FUZZ_SECONDS ?= 5

.PHONY: demo test check fix laws faults e2e bench cog clean

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

# One commit, one verdict: the laws take the same examples each time (tests/conftest.py).
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

# The laws of `make test` with twenty times the examples; a failure prints what to add as @example.
laws: $(VENV)/dev.done
	$(BIN)/python -m pytest -q -n $(WORKERS) -m hypothesis --timeout 3600 \
		--hypothesis-profile long --hypothesis-seed $(SEED)

$(VENV)/faults.done: tests/faults/requirements.txt $(VENV)/dev.done
	$(PIP) install -r tests/faults/requirements.txt
	touch $@

faults: $(VENV)/faults.done
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/python -m pytest -q -n $(WORKERS) -m faults tests/faults \
		--hypothesis-profile long --hypothesis-seed $(SEED)

$(VENV)/e2e.done: tests/e2e/requirements.txt $(VENV)/dev.done
	$(PIP) install --no-deps -r tests/e2e/requirements.txt
	touch $@

e2e: $(VENV)/e2e.done
	$(BIN)/python -m pytest -q -m e2e tests/e2e tests/compat

bench: $(VENV)/dev.done
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV)
