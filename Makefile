# `make demo` and `make test` set themselves up on a bare checkout; nothing else is needed first.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
HUB := .venv-hub/bin
SCALE := .venv-scale/bin
RELEASE := .venv-release/bin
DOCS := .venv-docs/bin
TORCH ?= torch==2.13.0
PYTHONS ?= 3.11 3.12 3.13

LOCK = $(RELEASE)/uv --quiet --no-config pip compile --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate
LOCKED_TEST := $(foreach extra,arrow encoders group oidc pandas plots polars postgres web,--extra $(extra)) \
  --group test --group system --group build

.PHONY: demo study docs notebooks test fuzz test-hub test-image test-pythons test-scale test-system lint types layers \
  unit lock release bench-allsides clean

# What narratives of seven kinds agree on; the pages are in demo-pages.
demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

# Every kind of table on the example study; the pages are in study-run/tables.
study: $(VENV)/.installed
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

test: $(VENV)/.tested lint types layers unit

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

layers: $(VENV)/.tested
	$(BIN)/lint-imports

unit: $(VENV)/.tested
	$(BIN)/pytest --ignore tests/fuzz --ignore tests/hub --ignore tests/cluster --ignore tests/system --ignore tests/people.py --ignore tests/postgres_server.py \
	  --doctest-modules tests src

# Random command lines and JSON values, the same in each run: about two minutes.
fuzz: $(VENV)/.tested
	$(BIN)/pytest tests/fuzz

# Torch is large, so what needs it has an environment of its own.
test-hub: .venv-hub/.installed
	$(HUB)/python -m pytest tests/hub

# So is Ray, of which clusters of several nodes are made on this machine.
test-scale: .venv-scale/.installed
	timeout -s INT -k 60 900 $(SCALE)/python -m pytest tests/cluster

# The pages as people use them: real browsers, server and database. Pictures of the pages are in
# system-artefacts. What hangs is ended as Ctrl-C would, so that the tests end what they started.
test-system: $(VENV)/.system
	@tests/system/packages.sh
	rm -rf system-artefacts
	timeout -s INT -k 60 2400 $(BIN)/python -m pytest tests/system

# The unit tests on every Python that we name; one that is not on this machine is skipped, with a line.
test-pythons:
	@for version in $(PYTHONS); do \
	  found=$$(ls "$$HOME/.pyenv/versions/$$version".*/bin/python 2>/dev/null | tail -n 1); \
	  found=$${found:-python$$version}; \
	  if "$$found" -c '' 2>/dev/null; then \
	    echo "Python $$version: $$found"; \
	    $(MAKE) --no-print-directory unit PYTHON="$$found" VENV=.venv-$$version || exit 1; \
	  else \
	    echo "Python $$version: skipped, it is not on this machine"; \
	  fi; \
	done

# The steps of the image in a clean Debian (root; needs debootstrap), and the other files of deploy/.
test-image: .venv-release/.installed
	deploy/check.sh $(RELEASE)
	rm -rf image-root/build image-root/last image-root/parsed
	$(RELEASE)/python deploy/clean_root.py image-root

# Source, wheel and bill of materials, tried and checked, in dist.
release: .venv-release/.installed
	deploy/release.sh $(RELEASE)

# The lock files in requirements/, after a change of pyproject.toml.
lock: .venv-release/.installed
	$(LOCK) pyproject.toml $(LOCKED_TEST) -o requirements/test.txt
	$(LOCK) pyproject.toml --extra oidc --extra postgres --extra web -o requirements/server.txt
	$(LOCK) --group build -o requirements/build.txt
	$(LOCK) --group release -o requirements/release.txt

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "commonground needs Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 2; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing commonground and what it needs (about a minute, once) ..." >&2
	@$(PIP) install -e .
	@touch $@

# What the extras and groups of LOCKED_TEST need, in the versions of the lock file.
$(VENV)/.tested: $(VENV)/.installed requirements/test.txt
	@echo "Installing what the tests need ..." >&2
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install --require-hashes --requirement requirements/test.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.system: $(VENV)/.tested
	@touch $@

.venv-hub/.installed: pyproject.toml
	@test -x $(HUB)/python || $(PYTHON) -m venv .venv-hub
	@echo "Installing torch and the hub extra (a few minutes, once) ..." >&2
	@$(HUB)/python -m pip --disable-pip-version-check --quiet install "$(TORCH)"
	@$(HUB)/python -m pip --disable-pip-version-check --quiet install -e ".[bert-score,hub,llm]" pytest hypothesis "onnx>=1.17"
	@touch $@

.venv-scale/.installed: pyproject.toml
	@test -x $(SCALE)/python || $(PYTHON) -m venv .venv-scale
	@echo "Installing Ray and the scale extra (a few minutes, once) ..." >&2
	@$(SCALE)/python -m pip --disable-pip-version-check --quiet install -e ".[encoders,scale]" pytest hypothesis
	@touch $@

.venv-release/.installed: requirements/release.txt
	@test -x $(RELEASE)/python || $(PYTHON) -m venv .venv-release
	@echo "Installing what a release needs (about a minute, once) ..." >&2
	@$(RELEASE)/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/release.txt
	@touch $@

.venv-docs/.installed: pyproject.toml
	@test -x $(DOCS)/python || $(PYTHON) -m venv .venv-docs
	@echo "Installing what the documentation needs (about a minute, once) ..." >&2
	@$(DOCS)/python -m pip --disable-pip-version-check --quiet install --upgrade "pip>=25.1"
	@$(DOCS)/python -m pip --disable-pip-version-check --quiet install -e ".[plots]" --group docs
	@touch $@

# DATA is a folder with sos/allsides_*; nothing of it is kept.
bench-allsides: $(VENV)/.installed
	@test -d "$(DATA)" || { echo "make bench-allsides DATA=/path/to/data" >&2; exit 2; }
	$(BIN)/python bench/allsides_tables.py "$(DATA)"

clean:
	rm -rf .venv .venv-3.* .venv-docs .venv-hub .venv-release .venv-scale dist image-root bench/out demo-pages docs-build docs-site study-run system-artefacts
