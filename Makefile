# Each target first sets up what it needs; when nothing changed, that takes well under a second.
# The work is done in tools/: this file only names it.

PYTHON = python3
SETUP = PYTHON="$(PYTHON)" sh tools/setup.sh
CHECK = .venv/bin/python -m tools.check

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run: ## start a hub with its own store and print its address (ARGS="--lan" for phones on the same network)
	@$(SETUP) python client
	@unset PARLEY_CHROMIUM; exec .venv/bin/parley serve $(ARGS) # ours alone: the hub refuses settings it does not know

test: ## run every check, as CI does; a table of results and times ends it
	@$(SETUP) python node
	@$(CHECK) test

soak: ## run the tests that are long by nature: races, differential games, every pair of options in browsers
	@$(SETUP) python node
	@$(CHECK) soak

coverage: ## measure how much of the rules and the hub's pure part their tests run
	@$(SETUP) python
	@$(CHECK) coverage

lint: ## check style: Python, client, deploy files
	@$(SETUP) python node
	@$(CHECK) lint

types: ## check types: Python, client
	@$(SETUP) python node
	@$(CHECK) types

fmt: ## put the code in the house format
	@$(SETUP) python node
	@.venv/bin/ruff check --fix-only .
	@.venv/bin/ruff format .
	@npm --prefix client-js run --silent lint -- --fix
	@npm --prefix client-js run --silent format

bench: ## measure the server's cost per command and per frame, beside floors from the same run
	@$(SETUP) python
	@.venv/bin/python -m bench $(ARGS)

clean: ## remove all that was built or installed here; saved games stay
	rm -rf .venv client-js/node_modules client-js/test-results hub/_web dist bench/build
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
	find hub games tests tools -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help run test soak coverage lint types fmt bench clean
