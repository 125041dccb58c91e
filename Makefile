# `make demo` and `make test` set themselves up on a bare checkout; nothing else is needed first.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
HUB := .venv-hub/bin
SCALE := .venv-scale/bin
DOCS := .venv-docs/bin
TORCH ?= torch==2.13.0

.PHONY: demo study docs notebooks test fuzz test-hub test-scale test-system lint types layers unit bench-allsides clean

# What narratives of seven kinds agree on; the pages are in demo-pages.
demo: .venv/.installed
	@$(BIN)/python examples/demo.py

# Every kind of table on the example study; the pages are in study-run/tables.
study: .venv/.installed
	@$(BIN)/python examples/study/tables.py study-run

# The documentation site, in docs-site; a warning or a broken link is an error.
docs: .venv-docs/.installed
	@$(DOCS)/python website/gallery.py docs-build/gallery >/dev/null
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=. $(DOCS)/python -m mkdocs build --strict --quiet
	@$(DOCS)/python website/check_links.py docs-site
	@echo "The site: docs-site/index.html"

# Run the notebooks and keep their output.
notebooks: .venv-docs/.installed
	$(DOCS)/python website/notebooks.py

test: .venv/.tested lint types layers unit

lint: .venv/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.tested
	$(BIN)/mypy

layers: .venv/.tested
	$(BIN)/lint-imports

unit: .venv/.tested
	$(BIN)/pytest --ignore tests/fuzz --ignore tests/hub --ignore tests/cluster --ignore tests/system --ignore tests/people.py --ignore tests/postgres_server.py \
	  --doctest-modules tests src

# Random command lines and JSON values, the same in each run: about two minutes.
fuzz: .venv/.tested
	$(BIN)/pytest tests/fuzz

# Torch is large, so what needs it has an environment of its own.
test-hub: .venv-hub/.installed
	$(HUB)/python -m pytest tests/hub

# So is Ray, of which clusters of several nodes are made on this machine.
test-scale: .venv-scale/.installed
	timeout -s INT -k 60 900 $(SCALE)/python -m pytest tests/cluster

# The pages as people use them: a real browser, server and database. Pictures of the pages are in
# system-artefacts. What hangs is ended as Ctrl-C would, so that the tests end what they started.
test-system: .venv/.system
	@tests/system/packages.sh
	rm -rf system-artefacts
	timeout -s INT -k 60 1200 $(BIN)/python -m pytest tests/system

.venv/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "commonground needs Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 2; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  $(PYTHON) -m venv --clear .venv
	@echo "Installing commonground and what it needs (about a minute, once) ..." >&2
	@$(PIP) install -e .
	@touch $@

.venv/.tested: .venv/.installed pyproject.toml
	@echo "Installing what the tests need ..." >&2
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install -e ".[arrow,encoders,group,pandas,plots,polars,web]" --group test
	@touch $@

.venv/.system: .venv/.tested pyproject.toml
	@echo "Installing what the system tests need ..." >&2
	@$(PIP) install -e ".[postgres]" --group system
	@touch $@

.venv-hub/.installed: pyproject.toml
	@test -x $(HUB)/python || $(PYTHON) -m venv .venv-hub
	@echo "Installing torch and the hub extra (a few minutes, once) ..." >&2
	@$(HUB)/python -m pip --disable-pip-version-check --quiet install "$(TORCH)"
	@$(HUB)/python -m pip --disable-pip-version-check --quiet install -e ".[bert-score,hub,llm]" pytest hypothesis
	@touch $@

.venv-scale/.installed: pyproject.toml
	@test -x $(SCALE)/python || $(PYTHON) -m venv .venv-scale
	@echo "Installing Ray and the scale extra (a few minutes, once) ..." >&2
	@$(SCALE)/python -m pip --disable-pip-version-check --quiet install -e ".[encoders,scale]" pytest hypothesis
	@touch $@

.venv-docs/.installed: pyproject.toml
	@test -x $(DOCS)/python || $(PYTHON) -m venv .venv-docs
	@echo "Installing what the documentation needs (about a minute, once) ..." >&2
	@$(DOCS)/python -m pip --disable-pip-version-check --quiet install --upgrade "pip>=25.1"
	@$(DOCS)/python -m pip --disable-pip-version-check --quiet install -e ".[plots]" --group docs
	@touch $@

# DATA is a folder with sos/allsides_*; nothing of it is kept.
bench-allsides: .venv/.installed
	@test -d "$(DATA)" || { echo "make bench-allsides DATA=/path/to/data" >&2; exit 2; }
	$(BIN)/python bench/allsides_tables.py "$(DATA)"

clean:
	rm -rf .venv .venv-docs .venv-hub .venv-scale bench/out demo-pages docs-build docs-site study-run system-artefacts
