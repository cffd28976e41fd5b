# Everything a contributor runs. `make demo` and `make test` work on a machine with Python >= 3.10, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
# Networks with a certificate authority of their own are trusted as the system trusts them.
export UV_SYSTEM_CERTS := 1
export UV_NATIVE_TLS := 1
export UV_PROJECT_ENVIRONMENT := $(CURDIR)/$(VENV)
export PYTHONUTF8 := 1
EVALUATED = $(or $(SETS),benchmarks/sets $(wildcard ../shared/eval))

.PHONY: help setup demo test check e2e bench eval eval-baselines lint types contracts docs-check fix new-adapter clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.ready ## make .venv and install everything into it

$(VENV)/.ready: scripts/setup.sh uv.lock pyproject.toml $(wildcard packages/*/pyproject.toml)
	@PYTHON="$(PYTHON)" sh scripts/setup.sh "$(VENV)"

demo: setup ## show the main job on recorded payloads, offline
	@$(BIN)/python scripts/demo.py

test: setup ## run the test suite (without real hosts)
	@$(BIN)/python -m pytest -n $(JOBS) -m "not e2e and not slow"

check: setup lint types contracts docs-check ## lint, types, import contracts, docs

lint:
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types:
	@$(BIN)/pyright

contracts:
	@$(BIN)/lint-imports

docs-check:
	@$(BIN)/python scripts/check_docs.py

new-adapter: setup ## make a package for a host: make new-adapter NAME=windsurf [TITLE=Windsurf] [INTO=folder]
	@$(BIN)/python scripts/new_adapter.py "$(NAME)" $(if $(TITLE),--title "$(TITLE)") $(if $(INTO),--into "$(INTO)")

fix: setup ## apply the formatter and the safe lint fixes
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

e2e: setup ## drive the real Claude Code from npm against a scripted model
	@$(BIN)/python -m pytest -m e2e tests/e2e

bench: setup ## cold start of the hooks and of the MCP server; writes, syncs and recalls as a memory grows (BENCH_FULL=1: to 100,000 records)
	@$(BIN)/python benchmarks/hook_latency.py
	@$(BIN)/python benchmarks/mcp_start.py
	@$(BIN)/python benchmarks/store.py

eval: setup ## retrieval figures of SETS="DIR...", else of our own set and of those beside this repository
	@$(BIN)/python benchmarks/retrieval.py $(EVALUATED)

eval-baselines: setup ## the same sets with other rankers
	@$(BIN)/python benchmarks/baselines.py $(EVALUATED)

clean: ## remove what make made (.venv, .cache)
	@rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
