# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# One command for each thing a developer does. `make help` lists them.
#
#   BUILD=dir    another build folder          (default: build)
#   JOBS=n       compile with n jobs           (default: one per processor)
#   TESTS=...    arguments for pytest, for example TESTS='-k generators tests/language'

BUILD ?= build
JOBS  ?= $(shell nproc)
TESTS ?=

# A compiler cache is used when there is one; nothing depends on it.
CCACHE := $(shell command -v ccache 2>/dev/null)
LAUNCHER := $(if $(CCACHE),-DCMAKE_CXX_COMPILER_LAUNCHER=$(CCACHE) -DCMAKE_C_COMPILER_LAUNCHER=$(CCACHE))

# Debian's own Python runs the test tools: it is the one that python3-pytest was installed for.
PYTHON ?= /usr/bin/python3

.DEFAULT_GOAL := build
.PHONY: help build dependencies demo test test-unit test-integration interpreters \
        lint format bench fuzz asan docs package clean

help: ## This list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies:
	@tools/install-dependencies.sh build

build: dependencies ## The command (build/spyglass, build/pymontrace) and the agent
	@cmake -S . -B $(BUILD) -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=RelWithDebInfo $(LAUNCHER)
	@cmake --build $(BUILD) --parallel $(JOBS)

demo: build ## Attach to a small running service and look inside
	@SPYGLASS_BUILD=$(BUILD) examples/demo.sh

interpreters: ## Find and prepare the interpreters that the tests run (3.8 to 3.15)
	@tools/install-dependencies.sh test
	@tests/interpreters/prepare.sh >/dev/null

test: build ## Unit and integration tests, on every interpreter that can be had
	@tools/install-dependencies.sh test
	@SPYGLASS_BUILD=$(BUILD) $(PYTHON) tools/run_tests.py unit integration -- $(TESTS)

test-unit: build ## Unit tests alone
	@tools/install-dependencies.sh test
	@SPYGLASS_BUILD=$(BUILD) $(PYTHON) tools/run_tests.py unit

test-integration: build ## Integration tests alone; TESTS='-k word tests/language' selects
	@tools/install-dependencies.sh test
	@SPYGLASS_BUILD=$(BUILD) $(PYTHON) tools/run_tests.py integration -- $(TESTS)

lint: dependencies ## Format, arrows between rooms, forbidden calls, clang-tidy
	@tools/install-dependencies.sh lint
	@cmake -S . -B $(BUILD) -G Ninja --log-level=WARNING $(LAUNCHER)
	@$(PYTHON) tools/lint.py --build $(BUILD) --jobs $(JOBS)

format: ## Rewrite the C and C++ files with clang-format
	@tools/install-dependencies.sh lint
	@git ls-files -- '*.h' '*.cpp' '*.c' | xargs -r clang-format -i

bench: build ## Costs and latencies as a table, and as build/bench.json
	@tools/install-dependencies.sh test
	@SPYGLASS_BUILD=$(BUILD) $(PYTHON) bench/run.py --json $(BUILD)/bench.json

asan: dependencies ## Unit tests, and a set of integration tests, with address and undefined-behaviour sanitizers
	@tools/install-dependencies.sh test
	@cmake --preset asan --log-level=WARNING $(LAUNCHER)
	@cmake --build build-asan --parallel $(JOBS)
	@SPYGLASS_BUILD=build-asan SPYGLASS_SANITIZED=1 $(PYTHON) tools/run_tests.py unit integration -- -m 'not heavy' $(TESTS)

fuzz: dependencies ## Each boundary under libFuzzer for FUZZ_SECONDS (default 60)
	@tools/install-dependencies.sh fuzz
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build build-fuzz --parallel $(JOBS)
	@tools/run_fuzzers.sh build-fuzz $(or $(FUZZ_SECONDS),60)

docs: build ## Parts of docs/ that are generated: the support matrix from the last test results
	@$(PYTHON) tools/support_matrix.py --results $(BUILD)/test-results --output docs/support-matrix.md

package: build ## A tar archive with the command and its second name
	@tools/package.sh $(BUILD)

clean: ## Remove the build folders (the interpreters stay in their cache)
	@rm -rf build build-asan build-tsan build-fuzz build-release
