# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
# Files are UTF-8 here, whatever the system takes for granted.
export PYTHONUTF8 := 1
else
BIN := .venv/bin
endif
# Tests start the program some hundred times: without compiled modules each start would compile them again.
unexport PYTHONDONTWRITEBYTECODE
READY := .venv/ready
COLLECTED := .venv/collected
RUNTIME := .venv/runtime

.PHONY: environment demo test test-rest test-all suite browser lint types contract pages docs audit bench clean

# What the paths of CONTRIBUTING.md begin with.
environment: $(READY)

demo: $(RUNTIME)
	$(BIN)/assent report --example story -o demo-report.html
	@echo "The report is in $(CURDIR)/demo-report.html: open it in a browser."

# Three processes for two cores: that of Spark and that of the browser wait for theirs, and each has to find all tests. mypy and the others run
# beside them.
test: $(READY) browser
	$(MAKE) --no-print-directory -j 4 suite types lint contract

suite: $(COLLECTED)
	$(BIN)/python -m pytest -n 3 --dist loadgroup

# What `make test` leaves out, in some four minutes: studies, each of which is run several times, long simulations, the site, a cluster of Spark,
# and further rows of long tables of tests. CI runs both.
test-rest: $(COLLECTED) browser
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 3 --dist loadgroup -m nightly

# Both at once, with sixteen times as many examples of each property, and an hour of random tables and command lines.
test-all: $(COLLECTED) browser lint contract
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 3 --dist loadgroup -m "" --hypothesis-profile thorough
	$(BIN)/python -m tests.fuzz --runs 1000000 --minutes 60

# Reports are looked at in a real browser; where it cannot be installed, those tests are skipped and say so.
browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
		&& { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; } >/dev/null; } \
		|| echo "Chromium is not installed: tests of pages are skipped."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# What is shipped; `make test-rest` looks at tests, benchmarks and docs, too.
types: $(READY)
	$(BIN)/mypy src studies

contract: $(READY)
	$(BIN)/lint-imports

# Pages that are made of docstrings.
pages: $(READY)
	$(BIN)/python docs/generate.py

# The site, from the pages and the docstrings: open build/docs/index.html.
docs: pages
	$(BIN)/python -m sphinx -b html -W --keep-going -q docs build/docs
	@echo "The site is in $(CURDIR)/build/docs/index.html."

# Known holes in what is installed: it fails if there are any, or if there is a package that nothing is known of, as without a network.
# The list is that of pip, because the strict audit of an environment does not pass over assent itself.
audit: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/python -m pip freeze --all --exclude-editable > .venv/installed.txt
	$(BIN)/python -m pip_audit --strict --no-deps --disable-pip --requirement .venv/installed.txt --progress-spinner off

bench: $(READY)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .import_linter_cache

$(RUNTIME): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit("assent needs Python 3.11 or newer: name one, as in make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# Dependency groups need a pip of 2025; the one a venv brings may be older.
$(READY): pyproject.toml $(RUNTIME)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	touch $@

# pytest compiles every file of tests when it is first met: in a new environment once here, not in each of three processes at a time.
$(COLLECTED): $(READY)
	$(BIN)/python -m pytest --collect-only -qq >/dev/null || true
	touch $@
