# Every habit of the project is one command on a fresh clone; CONTRIBUTING.md says what each does.
PYTHON ?= python3
JOBS ?= $(shell nproc)
VENV := .venv
BIN := $(VENV)/bin
STAMPS := build/.stamps
FAKE_CUDA := build/dev/tests/fake_cuda
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# CMake looks for ninja on the path.
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: help setup install demo golden matrix card gpu test test-cpp test-python asan tsan bench soak compat fmt lint clean
.DEFAULT_GOAL := help

help: ## Show the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort | column -t -s "$$(printf '\t')"

# System packages: through apt where we are root and they are missing; elsewhere the missing ones are named.
$(STAMPS)/system: scripts/system_packages.sh
	@mkdir -p $(STAMPS)
	bash scripts/system_packages.sh
	@touch $@

$(STAMPS)/venv: pyproject.toml scripts/requirements-build.txt $(STAMPS)/system
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -r scripts/requirements-build.txt
	@touch $@

# Large, and wanted by tests and benchmarks alone: a demo and a build do without.
$(STAMPS)/frameworks: scripts/requirements-test.txt $(STAMPS)/venv
	$(BIN)/python -m pip install -q -r scripts/requirements-test.txt
	@touch $@

setup: $(STAMPS)/venv ## System packages, virtual environment, build tools

# In a folder of its own: a plain `pip install .` of the same checkout, which may run at the same time, builds in another.
# Two of these take turns, since they share the folder and .venv too.
install: $(STAMPS)/venv ## Build the wheel's contents and install them into .venv
	@echo "building eagle and installing it into $(VENV); the first build takes minutes and says nothing meanwhile"
	@flock -n $(STAMPS)/install.lock true || echo "another make builds or installs here; waiting until it is done"
	@flock $(STAMPS)/install.lock $(BIN)/python -m pip install -q --no-build-isolation --no-deps --force-reinstall \
	  --config-settings "build-dir=build/make-{wheel_tag}" .

demo: install ## A million damped oscillators on the embedded CPU backend: a table and a picture
	$(BIN)/python -m eagle demo --out out/demo

test: test-cpp test-python ## Every test, C++ and Python

# What widens the build of kind hip, in the trees that are tested: the package has no such kind.
$(STAMPS)/hip: scripts/system_packages.sh $(STAMPS)/system
	bash scripts/system_packages.sh hip
	@touch $@

build/dev/build.ninja: $(STAMPS)/venv $(STAMPS)/hip CMakePresets.json
	$(BIN)/cmake --preset dev

test-cpp: build/dev/build.ninja ## The C++ tests
	$(BIN)/cmake --build --preset dev
	@ln -sf build/dev/compile_commands.json compile_commands.json
	$(BIN)/ctest --preset dev -j $(JOBS)

test-python: install build/dev/build.ninja $(STAMPS)/frameworks ## The Python tests, against the installed package and the simulated device
	$(BIN)/cmake --build --preset dev --target eagle_sim
	$(BIN)/python -m pytest -q --matrix-ledger build/matrix.json tests/python
	test ! -e $(FAKE_CUDA)/libcuda_fake.so || FAKE_CUDA=$(FAKE_CUDA) $(BIN)/python -m pytest -q tests/python/fake_cuda
	test ! -e $(FAKE_CUDA)/libcuda_fake.so || FAKE_CUDA=$(FAKE_CUDA) $(BIN)/python -m pytest -q tests/python/hip_shim

golden: install ## The golden artifact of tests/golden, written anew; shows what changed
	$(BIN)/python tests/golden/regenerate.py

matrix: install build/dev/build.ninja $(STAMPS)/frameworks ## The certification matrix: its rows, docs/matrix/cpu.json and the table on docs/interop.md
	@mkdir -p docs/matrix
	$(BIN)/cmake --build --preset dev --target eagle_sim
	$(BIN)/python -m pytest -q tests/python/matrix --matrix-ledger docs/matrix/cpu.json \
	  --deselect tests/python/matrix/test_complete.py::test_the_committed_ledger_is_of_these_tests
	$(BIN)/python -m raptor.conformance page docs/interop.md docs/matrix/*.json

# Of a kind of machine that this one need not be: CuPy, Warp and torch with CUDA.
card: install ## The rows of the certification matrix that need a CUDA device, on a machine that has one
	$(BIN)/python -m pip install -q -r scripts/requirements-card.txt
	$(BIN)/python -m pytest -q tests/python/matrix -m matrix_cuda --matrix-machine cuda --matrix-ledger docs/matrix/cuda.json
	$(BIN)/python -m raptor.conformance page docs/interop.md docs/matrix/*.json

asan: $(STAMPS)/venv $(STAMPS)/hip ## The C++ tests under AddressSanitizer and UBSan
	$(BIN)/cmake --preset asan
	$(BIN)/cmake --build --preset asan
	$(BIN)/ctest --preset asan -j $(JOBS)

tsan: $(STAMPS)/venv $(STAMPS)/hip ## The C++ tests labelled tsan under ThreadSanitizer (those labelled fork stay out)
	$(BIN)/cmake --preset tsan
	$(BIN)/cmake --build --preset tsan
	$(BIN)/ctest --preset tsan

# The peers that the benchmarks stand beside, wanted by them alone; the configuration looks for them when they are there.
$(STAMPS)/peers: scripts/system_packages.sh build/dev/build.ninja
	bash scripts/system_packages.sh bench
	$(BIN)/cmake --preset dev
	@touch $@

bench: install $(STAMPS)/peers $(STAMPS)/frameworks ## The benchmarks: a table, JSON and a picture in out/bench
	$(BIN)/cmake --build --preset dev
	$(BIN)/python -m benchmarks --out out/bench

gpu: install build/dev/build.ninja $(STAMPS)/frameworks ## On a machine with an NVIDIA card: conformance, Python suite, sanitizer, return codes, benchmarks; out/gpu
	$(BIN)/python scripts/gpu.py --out out/gpu

soak: install build/dev/build.ninja $(STAMPS)/frameworks ## Long runs that make test leaves out
	$(BIN)/cmake --build --preset dev
	$(BIN)/ctest --preset dev -C soak -L soak
	$(BIN)/python -m pytest -q -m soak

compat: build/dev/build.ninja ## Against the published core of the same contract, from PyPI (status 3: it did not answer)
	$(BIN)/cmake --build --preset dev --target eagle_cpu eagle_doctor compat_kernels
	$(BIN)/python tests/compat/run.py --build build/dev --venv build/compat

fmt: $(STAMPS)/venv ## clang-format and ruff over the tree
	git ls-files '*.h' '*.c' '*.cpp' | xargs -r $(BIN)/clang-format -i
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only .

lint: $(STAMPS)/venv build/dev/build.ninja ## ruff, mypy, clang-format in check mode, clang-tidy on what changed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files '*.h' '*.c' '*.cpp' | xargs -r $(BIN)/clang-format --dry-run -Werror
	bash scripts/tidy_changed.sh $(BIN)/clang-tidy build/dev

clean: ## Remove build, out and dist; .venv stays
	rm -rf build out dist compile_commands.json
