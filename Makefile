# Needs make and Python 3.11, 3.12 or 3.13. Everything else is installed into this folder: pipenv
# into .tools, the packages and Node into .venv, the CDKTF CLI into node_modules.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first of these that is a Python 3.11–3.13 with venv is used.
PYTHONS ?= python3 python3.13 python3.12 python3.11 python
# How many tests run at a time.
WORKERS ?= 2
# More arguments for pytest, or for the command of a cluster.
ARGS ?=

PIPENV := PIPENV_VENV_IN_PROJECT=1 PIPENV_IGNORE_VIRTUALENVS=1 PIPENV_NOSPIN=1 .tools/bin/pipenv
PYTHON := .venv/bin/python
SUITABLE := import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))

.PHONY: help setup synth publish test check doctor diff deploy destroy format lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z ]+:.*## / { sub(":.*", "", $$1); printf "make %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: node_modules/.stamp ## install what the other targets need

synth: setup ## write the cluster stacks and the published modules
	@$(PYTHON) -m commands.synth

publish: setup ## write the published modules only
	@$(PYTHON) -m commands.publish $(ARGS)

test: setup ## run the tests; ARGS goes to pytest
	@$(PYTHON) -m pytest -n $(WORKERS) $(ARGS)

check: setup ## format, lint, types, lock file and tests
	@$(PIPENV) verify
	@$(PYTHON) -m commands.check -n $(WORKERS) $(ARGS)

doctor: setup ## tell what a deploy needs and this machine lacks
	@$(PYTHON) -m commands.doctor

diff deploy destroy: setup ## for one cluster: make diff CLUSTER=name
	@$(PYTHON) -m commands.$@ $(CLUSTER) $(ARGS)

format: setup ## format the code and mend what the linter can
	@$(PYTHON) -m ruff check --quiet --fix .
	@$(PYTHON) -m ruff format --quiet .

lock: setup ## write Pipfile.lock anew
	@$(PIPENV) lock --quiet

clean: ## remove what setup and the tests left; the output, which may hold state, stays
	rm -rf .tools .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis

.tools/.stamp: .ci/pipenv.txt
	@echo "Installing pipenv"
	@set -e; \
	for python in $(PYTHONS); do \
	  if "$$python" -c '$(SUITABLE)' >/dev/null 2>&1; then \
	    rm -rf .tools; \
	    "$$python" -m venv .tools; \
	    .tools/bin/python -m pip install -qq --disable-pip-version-check \
	      --require-hashes --requirement $<; \
	    touch $@; \
	    exit 0; \
	  fi; \
	done; \
	echo "No Python 3.11, 3.12 or 3.13 with its venv module was found under the names" >&2; \
	echo "$(PYTHONS). Install one, or name it: make PYTHONS=/path/to/python $(MAKECMDGOALS)" >&2; \
	exit 1

.venv/.stamp: .tools/.stamp Pipfile.lock
	@echo "Installing the packages (a few minutes the first time)"
	@set -e; \
	if $(PYTHON) -c '$(SUITABLE)' >/dev/null 2>&1; then \
	  $(PIPENV) sync --dev --quiet; \
	else \
	  rm -rf .venv; \
	  $(PIPENV) sync --dev --quiet --python "$(CURDIR)/.tools/bin/python"; \
	fi; \
	touch $@

node_modules/.stamp: .venv/.stamp package-lock.json
	@echo "Installing the CDKTF CLI"
	@set -e; \
	node=$$($(PYTHON) -c 'from modules.runtime.node import wheel_node; print(wheel_node())'); \
	bin=$$(dirname "$$node"); \
	PATH="$$bin:$$PATH" "$$node" "$$bin/../lib/node_modules/npm/bin/npm-cli.js" ci \
	  --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error; \
	touch $@
