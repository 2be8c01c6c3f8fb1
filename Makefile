# Everything a developer or operator does with a checkout. ARGS are the program's own:
#   make run ARGS='users=people.csv --port 9000'

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run build check test test-browser test-operations soak differential install sanitize coverage pictures fuzz description-test echo differences pages rows bench bench-growth bench-imports bench-counts bench-walk format image image-test clean

ARGS :=
IMAGE := roster
SECONDS := 600
# What starts processes, databases or other servers; `make test` runs it.
SLOW_TESTS := ^(IntegrationTests|RemoteTests|RosterClientTests)\.|^DatabaseTests\.Postgres
SWIFT_FILES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
	Benchmarks/Peers/Package.swift Benchmarks/Peers/Sources

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build and serve: the sample users, or what ARGS name
	@echo Starting roster $(ARGS)
	@exec .build/release/roster $(ARGS)

build: ## install what is missing and build the program for release
	@.ci/install
	@echo 'Building roster for release: about three minutes on two cores the first time'
# The Swift runtime goes into the program: it starts faster and runs where no Swift is.
	@swift build -c release --static-swift-stdlib --product roster

PREFIX := /usr/local

install: build ## install the program, its manual and completions under PREFIX (/usr/local)
	@install -D -t '$(DESTDIR)$(PREFIX)/bin' .build/release/roster
	@set -e; roster=.build/release/roster; share='$(DESTDIR)$(PREFIX)/share'; \
	    mkdir -p "$$share/man/man1" "$$share/bash-completion/completions" \
	        "$$share/zsh/site-functions" "$$share/fish/vendor_completions.d"; \
	    $$roster manual > "$$share/man/man1/roster.1"; \
	    $$roster completions bash > "$$share/bash-completion/completions/roster"; \
	    $$roster completions zsh > "$$share/zsh/site-functions/_roster"; \
	    $$roster completions fish > "$$share/fish/vendor_completions.d/roster.fish"
	@echo 'Installed roster under $(DESTDIR)$(PREFIX)'

test: ## run every check, as continuous integration does
	@.ci/check

check: ## lint, build and run the unit tests, before a commit: a few minutes
	@.ci/install
	@swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	@swift build --build-tests --quiet
	@.ci/run-tests --quiet --skip '$(SLOW_TESTS)'

test-browser: ## look at the pages in a real Chromium: ARGS='test_live' for some of the checks
	@.ci/test-browser $(ARGS)

test-operations: ## make networks, disks and calls fail around the program: ARGS='test_network' for some
	@.ci/test-operations $(ARGS)

soak: ## do everything at once for SECONDS (600), and see that nothing fails or grows
	@ROSTER_TEST_SOAK=$(SECONDS) .ci/test-operations test_soak

differential: ## compare random queries of random tables with a plain evaluator, for SECONDS (600)
	@.ci/test-differential $(SECONDS) $(ARGS)

sanitize: ## run the tests with the address and the thread sanitizer
	@.ci/sanitize

coverage: ## say how many lines of each target the tests run
	@.ci/coverage

pictures: ## make the pictures of the README, in a real Chromium
	@.ci/test-browser --pictures

fuzz: ## look for inputs that break the readers, SECONDS for each (600)
	@.ci/fuzz $(SECONDS)

description-test: ## hold a running server to /-/openapi.json with schemathesis, SECONDS each (600)
	@ROSTER_INSTALL=1 .ci/description-test $(SECONDS)

echo: ## run the example of the HTTP server alone: ARGS='--port 9000'
	@swift run -c release --package-path Benchmarks echo $(ARGS)

differences: ## measure the differences of lists beside Heckel's and the standard library's
	@swift run -c release --package-path Benchmarks differences $(ARGS)

pages: ## measure a page of a list in memory, of a thousand models and of ten million
	@swift run -c release --package-path Benchmarks pages $(ARGS)

rows: ## measure pages of ten million rows in SQLite, kept: ARGS=FOLDER; a million: ARGS=postgres
	@swift run -c release RowsBenchmark $(ARGS)

bench: ## measure beside Hummingbird, FlyingFox, nginx and C: ARGS='--rounds 3 --no-peers'
	@python3 Benchmarks/Comparison/compare.py $(ARGS)

bench-growth: ## draw how the cost of a page grows with list, connections, sections, columns, cells
	@python3 Benchmarks/Comparison/growth.py $(ARGS)

bench-imports: ## measure imports beside sqlite3, DuckDB and sqlite-utils: ARGS="--rows 1800000"
	@python3 Benchmarks/Comparison/imports.py $(ARGS)

bench-counts: ## count instructions and allocations, and compare with Benchmarks/counts.json
	@.ci/install valgrind
	@python3 Benchmarks/counts.py $(ARGS)

bench-walk: ## count the source files that a request passes
	@.ci/install valgrind
	@python3 Benchmarks/walk.py $(ARGS)

format: ## format every Swift file in place
	@swift format --in-place --recursive --parallel $(SWIFT_FILES)

image: ## build the container image, with docker or else buildah
	@.ci/image $(IMAGE)

image-test: ## build the image without a registry, run it and check it
	@.ci/image-test

clean: ## remove what was built
	@rm -rf .build .build-* Benchmarks/.build Benchmarks/.build-*
