# Everything is set up in .venv/ of this checkout; nothing else is touched.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: setup demo test versions lint bench docs lock sbom hashes clean

setup: .venv/.run

.venv/.run: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing the locked packages into .venv ..."
	@$(BIN)/pip install --quiet --no-input --require-hashes --only-binary=:all: --no-compile -r requirements.lock
	@$(BIN)/pip install --quiet --no-input --no-deps --no-build-isolation --no-index -e .
	@touch $@

.venv/.dev: requirements-dev.lock .venv/.run
	@echo "installing the locked development packages into .venv ..."
	@$(BIN)/pip install --quiet --no-input --require-hashes --only-binary=:all: --no-compile -r requirements-dev.lock
	@touch $@

demo: .venv/.run
	@$(BIN)/python -m corpora.demo

lint: .venv/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/codespell *.md docs deid risk safe_harbor

# Tests start many processes: each would compile every package anew where no bytecode is kept.
test: lint
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

# The oldest and the newest versions that pyproject.toml permits; needs uv and a package index.
versions:
	@$(PYTHON) tests/dependency_versions.py

bench: .venv/.dev
	@$(BIN)/python -m benchmarks

# The documentation site in build/site, to be read without a server and without a network.
docs: .venv/.dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "build/site/index.html"

lock:
	uv pip compile pyproject.toml --group build --universal --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o requirements.lock
	uv pip compile pyproject.toml --group build --group dev --universal --generate-hashes --no-emit-index-url --no-header --no-annotate -q -c requirements.lock -o requirements-dev.lock

# The bill of materials of the locked packages, on stdout.
sbom:
	@$(PYTHON) container/sbom.py

# After a change to a table or a word list that is meant.
hashes:
	$(BIN)/python -P safe_harbor/locked.py safe_harbor recognizers deid
	$(BIN)/python -m training.signing

clean:
	rm -rf .venv out
