# Windlass. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BENCH_VENV ?= .venv-bench
JOBS ?= 3
ONLY ?=
REAL ?=
ARGS ?=
OPERATOR ?=
OPERATORS := $(notdir $(patsubst %/__init__.py,%,$(wildcard src/windlass/operators/*/__init__.py)))
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/windlass/_version.py)
IMAGE_TAG_BASE ?= windlass
IMG ?= $(IMAGE_TAG_BASE):$(VERSION)
CONTAINER_TOOL ?= docker
ignore-not-found ?= false

# What a target is about, or how to say it.
named = $(or $(OPERATOR),$(error say which operator: make $@ OPERATOR=name, with one of: $(OPERATORS)))

# Run commands and print how long they took; if one fails, so does the target.
timed = start=$$(date +%s); { $(1); } || exit 1; echo "$@: $$(( $$(date +%s) - start )) s"

.PHONY: test-image build deploy docker-build docker-push install manifests undeploy uninstall
.PHONY: help setup run test test-real check fmt lint types layers budgets bench soak docs kinds lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.ready ## Build the virtual environment (only when something changed)

# pip's own version must understand the lock file; everything it installs is pinned by hash.
$(VENV)/.ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Windlass needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

run: setup ## Show all operators at work until Ctrl-C (REAL=1: on a real control plane); OPERATOR=name runs one on the current cluster
	@$(if $(REAL),$(BIN)/windlass tools install control-plane >/dev/null)
	@$(BIN)/windlass $(if $(OPERATOR),run $(OPERATOR),demo $(if $(REAL),--real)) $(ARGS)

install: setup ## Install the kinds of OPERATOR in the current cluster
	@$(BIN)/windlass install $(named) $(if $(filter run,$(MAKECMDGOALS)),,$(ARGS))

uninstall: setup ## Delete the kinds of OPERATOR (ignore-not-found=true to not mind that they are gone)
	@$(BIN)/windlass uninstall $(named) --ignore-not-found=$(ignore-not-found) $(ARGS)

deploy: setup ## Deploy OPERATOR to the current cluster with the image IMG
	@$(BIN)/windlass deploy $(named) --image $(IMG) $(ARGS)

undeploy: setup ## Remove OPERATOR from the current cluster; its kinds stay
	@$(BIN)/windlass undeploy $(named) --ignore-not-found=$(ignore-not-found) $(ARGS)

manifests: setup ## Generate config/ and charts/ of OPERATOR anew, or of all of them
	@for name in $(or $(OPERATOR),$(OPERATORS)); do \
	  $(BIN)/windlass generate all $$name --config config/$$name $(ARGS); \
	  $(BIN)/windlass generate chart $$name --output charts/$$name $(ARGS); \
	done

build: manifests ## Build the wheel into dist/
	@$(BIN)/python -m hatchling build --target wheel

docker-build: ## Build the image IMG, which has every operator and helm (CONTAINER_TOOL=docker)
	@$(CONTAINER_TOOL) build --tag $(IMG) .

docker-push: ## Push the image IMG
	@$(CONTAINER_TOOL) push $(IMG)

test: setup ## Tests that need nothing but Python
	@$(call timed,$(BIN)/pytest -n $(JOBS) $(ARGS))

test-real: setup $(VENV)/.clients ## Tests over HTTPS and on the real control plane (obtains it when missing), and the pages build
	@$(call timed,$(BIN)/windlass tools install control-plane && $(BIN)/windlass tools install kubectl && $(BIN)/windlass tools install helm && $(MAKE) docs oracles $(STAGES))

# What fails beside all the others is tried once more on a control plane of its own, in sight of whoever reads the
# log: programs of others may be late once on a busy machine. A fault of ours fails twice.
STAGES := $(addprefix test-real-,pages https server cluster programs journeys)
pages := tests/docs
https := --control-plane embedded tests/contract
server := --control-plane real tests/contract tests/real
cluster := --control-plane real --control-plane-controllers tests/whole tests/operators
programs := --control-plane embedded --control-plane-controllers tests/operators
journeys := journeys/test_journey.py
stage = $(BIN)/pytest -n $(JOBS) --dist loadgroup $($*) $(ARGS)

.PHONY: $(STAGES)
$(STAGES): test-real-%: setup $(VENV)/.clients
	@$(call timed,$(stage) || $(stage) --last-failed)

# The programs in Go that tests compare with: built anew they take longer than a test may, later a second.
ORACLES := $(dir $(wildcard tests/oracle/go.mod tests/oracle/*/go.mod))

.PHONY: oracles
oracles:
	@for each in $(ORACLES); do (cd $$each && GOFLAGS= go build -mod=readonly -o /dev/null .); done

test-image: setup ## Build the image with buildah, where it is present, and look into it
	@$(call timed,$(BIN)/windlass tools install helm && $(BIN)/pytest -q tests/image $(ARGS))

$(VENV)/.clients: requirements/clients.txt $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/clients.txt
	@touch $@

check: setup ## Lint, types, layers and size budgets
	@$(call timed,$(MAKE) lint types layers budgets)

fmt: setup ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix --quiet .

lint: setup ## ruff: format and rules
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .

types: setup ## mypy, strict; and mypy and pyright on what the pages show and on mistakes that they must find
	@$(BIN)/mypy
	@$(BIN)/pytest -q -p no:randomly tests/typing

layers: setup ## Imports point down (import-linter)
	@$(BIN)/lint-imports --no-logo >/dev/null || $(BIN)/lint-imports --no-logo

budgets: setup ## Size of modules and functions, exports, leaked addresses
	@$(BIN)/pytest -q -p no:randomly tests/architecture

bench: setup $(BENCH_VENV)/.ready ## Figures beside the peers (ONLY=name for one)
	@$(BIN)/windlass tools install control-plane
	@$(BENCH_VENV)/bin/python -m benchmarks $(if $(ONLY),--only $(ONLY)) $(ARGS)

$(BENCH_VENV)/.ready: requirements/bench.txt pyproject.toml
	@test -x $(BENCH_VENV)/bin/python || $(PYTHON) -m venv $(BENCH_VENV)
	@$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

soak: setup ## Property tests with many more examples, 10,000 simulations, an hour of the differential test
	@$(call timed,$(BIN)/pytest -n $(JOBS) --timeout 14400 -m simulation --simulation-seeds 10000 tests/unit $(ARGS) && $(BIN)/windlass tools install control-plane && $(BIN)/pytest -n $(JOBS) --dist loadgroup --timeout 7200 -m property --hypothesis-profile soak --control-plane real tests/unit tests/real $(ARGS))

docs: setup ## Build the documentation, warnings are errors
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@$(BIN)/sphinx-build --quiet -W -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

kinds: setup ## Generate the built-in kinds, and the facts about them, anew from a real API server
	@$(BIN)/windlass tools install control-plane
	@$(BIN)/python scripts/generate_kinds.py
	@$(BIN)/python scripts/generate_definitions.py
	@$(BIN)/python scripts/generate_template.py
	@$(BIN)/python scripts/probe_defaults.py

lock: setup ## Pin every dependency anew, with hashes and without addresses
	@$(BIN)/python scripts/lock.py

clean: ## Remove what the targets made (the cache of built tools stays)
	@rm -rf $(VENV) $(BENCH_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build dist
