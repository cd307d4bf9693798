# Each target first sets up what it needs; if nothing has changed, that takes well under a second.
# The work is done by the scripts in tools/, which this file only calls.

PYTHON = # the Python to use; by default, the first python3 that is built with optimisation
SETUP = PYTHON="$(PYTHON)" sh tools/setup.sh
CHECK = .venv/bin/python -m tools.check

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run: ## start a hub with its own store and print its address (ARGS="--lan" for phones on the same network)
	@$(SETUP) python client
	@unset PARLEY_CHROMIUM; exec .venv/bin/parley serve $(ARGS) # only our tools use it, and the hub refuses unknown settings

test: ## run every check, as CI does, and end with a table of results and times
	@$(SETUP) python node
	@$(CHECK) test

soak: ## run the longest tests: races, differential games, every pair of options in browsers
	@$(SETUP) python node
	@$(CHECK) soak

chaos: ## let hubs, stores and the network fail for ten minutes while people play (ARGS="--seed 7 --store sentinel")
	@$(SETUP) python
	@.venv/bin/python -m tests.chaos.storm $(ARGS)

coverage: ## measure branch coverage of the rules and the hub's pure part
	@$(SETUP) python
	@$(CHECK) coverage

lint: ## check style: Python, client, deploy files
	@$(SETUP) python node
	@$(CHECK) lint

types: ## check types: Python, client
	@$(SETUP) python node
	@$(CHECK) types

fmt: ## format the code
	@$(SETUP) python node
	@.venv/bin/ruff check --fix-only .
	@.venv/bin/ruff format .
	@npm --prefix client-js run --silent lint -- --fix
	@npm --prefix client-js run --silent format

audit: ## look for known vulnerabilities in the locked Python packages; asks the package registry
	@$(SETUP) python
	@.venv/bin/python -m tools.audit

bench: ## measure the server's cost per command and per frame, alongside floors from the same run
	@$(SETUP) python
	@.venv/bin/python -m bench $(ARGS)

clean: ## remove everything that was built or installed here, but keep saved games
	rm -rf .venv client-js/node_modules client-js/.svelte-check client-js/test-results hub/_web dist bench/build
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
	find hub games tests tools -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help run test soak chaos coverage lint types fmt audit bench clean
