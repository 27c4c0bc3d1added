# The front door: `make demo` trains a miniature and writes the report, `make test` checks everything.
PYTHON ?= python3
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
# Another version or build of torch: make setup TORCH=…, with whatever pip understands (a version, a wheel's path)
TORCH ?= torch==2.13.0
BIN := .venv/bin
READY := .venv/ready-with-$(subst =,-,$(notdir $(TORCH)))
RUN := PATH="$(CURDIR)/$(BIN):$$PATH"

.PHONY: setup demo test test-fast docs lint format bench-bpe gpu-check clean

setup: $(READY)

$(READY): pyproject.toml requirements.lock
	@echo "Setting up .venv (once, some minutes) ..."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'
	@touch $@

demo: setup
	$(RUN) snakemake --cores $(CORES)
	@echo "The report of the demo, for a browser: results/demo/report.html"

# All tests, one process per core; a file's tests stay together, because they may share an experiment.
test: setup
	$(RUN) pytest -n $(CORES) --dist loadfile

# Only the unit tests, for daily work.
test-fast: setup
	$(RUN) pytest -n $(CORES) --dist loadfile -m "not slow" tests/unit

# The documentation as a site, to be read without a server or a network.
docs: setup
	$(RUN) mkdocs build --strict
	@echo "The documentation, for a browser: site/index.html"

lint: setup
	$(RUN) ruff format --check
	$(RUN) ruff check
	$(RUN) mypy
	cd bench && $(RUN) MYPYPATH=../src:. mypy --config-file ../pyproject.toml *.py
	$(RUN) snakefmt --check --line-length 120 Snakefile workflow

format: setup
	$(RUN) ruff format
	$(RUN) ruff check --fix
	$(RUN) snakefmt --line-length 120 Snakefile workflow

# Byte pair encoding beside subword-nmt: time, memory, and whether the results are the same. Some minutes.
bench-bpe: setup
	$(RUN) python bench/bpe.py --big

# Tests and measures training and search on a GPU, in under 10 minutes; writes gpu-check.md. Without a GPU it says so.
gpu-check: setup
	$(RUN) python bench/gpu_check.py

clean:
	rm -rf .venv site .snakemake .pytest_cache .mypy_cache .ruff_cache .hypothesis
