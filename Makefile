# `make` lists the targets. Whatever is longer than a line or two is a script in Deploy/ or Tests/.

# The Swift to use, 6.3 or newer; and options for the program that a target runs, as in
# `make run ARGS=--once` or `make test ARGS='--filter TidyTests'`.
SWIFT ?= swift
ARGS ?=
export SWIFT

# The same build is run, tested and measured: what one target has compiled, no other compiles again.
# `make tsan` and the packages have builds of their own.
BUILD = $(SWIFT) build $(shell cat Deploy/build-options)

SCRIPTS = .ci/run Deploy/files/back-off Deploy/files/open-page Deploy/runit/run \
	$(wildcard Deploy/debian/parley.p*) $(shell find Deploy Sources Tests docs -name '*.sh')

.PHONY: help run test check format lint deb dist test-deb bench bench-peers bench-proxy sim soak \
	soak-lab crash-states failing-calls damage mutants model fuzz tsan docs clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 15

run: ## install what is missing, build, and run the demo until Ctrl-C
	@Deploy/install-dependencies.sh
	$(BUILD) --product parley
	@Deploy/with-avahi.sh .build/release/parley demo $(ARGS)

test: ## install what is missing, build, and run all tests
	@Deploy/install-dependencies.sh --test
	@Tests/run.sh $(ARGS)

check: lint test fuzz ## what every commit must pass

format: ## rewrite the Swift files in the house format
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

lint: ## look for what the formatter and shellcheck object to, and for long subjects of commits
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests
	@Tests/check-subjects.sh
	@if command -v shellcheck >/dev/null; then shellcheck $(SCRIPTS); \
	else echo 'lint: there is no shellcheck here, so the scripts were not checked'; fi

deb: ## build the Debian package, in .build/packages
	@Deploy/install-dependencies.sh --packages
	@Deploy/package.sh deb

dist: ## build the archive for other distributions, in .build/packages
	@Deploy/install-dependencies.sh --packages
	@Deploy/package.sh dist

test-deb: ## build both, and test them as root: lintian, piuparts, systemd, runit
	@Deploy/install-dependencies.sh --packages
	@Tests/Packages/run.sh $(ARGS)

bench: ## build in release and run the benchmarks
	@Deploy/install-dependencies.sh --test
	$(BUILD) --product parley
	$(BUILD) --product parley-bench
	.build/release/parley-bench $(ARGS)

bench-peers: ## install NATS, Redis, etcd and others, and run the benchmarks beside them
	@Deploy/install-dependencies.sh --peers
	$(BUILD) --product parley-bench
	.build/release/parley-bench peers --document docs/benchmarks.md $(ARGS)

bench-proxy: ## install HAProxy, Envoy, traefik and socat, and measure the fault proxy beside them
	@Deploy/install-dependencies.sh --peers
	$(BUILD) --product parley
	@Tests/Benchmarks/bench-proxy.py $(ARGS)

sim: ## build in release and simulate 10,000 seeds
	$(BUILD) --product parley
	.build/release/parley simulate --seeds 10000 $(ARGS)

soak: ## build in release and simulate until stopped, from where the last soak ended
	$(BUILD) --product parley
	.build/release/parley simulate --soak .build/soak.json $(ARGS)

soak-lab: ## everything at once on lab hosts, as root: ARGS='--minutes 20 --seed 1'
	@Deploy/install-dependencies.sh --test
	$(BUILD) --product parley
	$(BUILD) --build-tests
	@Tests/Lab/soak.py run $(ARGS)

crash-states: ## record a node's disk, and open 50,000 states that a power failure may leave
	@Deploy/install-dependencies.sh --test
	@PARLEY_TEST_CRASH_STATES=$(or $(ARGS),50000) Tests/Disk/run.sh CrashStateTests

failing-calls: ## fail each call of a node on its files; or ARGS=write:17:ENOSPC:ever
	@Deploy/install-dependencies.sh --test
	@PARLEY_TEST_FAILING_CALLS=$(or $(ARGS),all) Tests/Disk/run.sh FailingCallTests/anyCallMayFail

damage: ## flip bits and cut files of one of five nodes, 10,000 times; or ARGS=SEED:COUNT
	@Deploy/install-dependencies.sh --test
	@PARLEY_TEST_DAMAGE=$(or $(ARGS),10000) Tests/Disk/run.sh MinorityDamageTests

mutants: ## break the core in many ways, and see that the simulator's checkers notice
	@Tests/Mutants/run.sh $(ARGS)

model: ## check the rules as a model in TLA+, wrong variants of it, and traces of the simulator
	@Deploy/install-dependencies.sh --model
	@Tests/Model/run.sh $(ARGS)

fuzz: ## feed all decoders with inputs that reach new branches, for a minute
	$(BUILD) --product parley
	@Tests/Fuzz/run.sh $(ARGS)

tsan: ## run the fast tests under the thread sanitizer
	@Deploy/install-dependencies.sh --test
	@Tests/run.sh --tsan $(ARGS)

docs: ## build, and make the reference of the public modules with DocC
	@Deploy/install-dependencies.sh
	$(BUILD) --product parley
	$(BUILD) --target MessagesTesting
	$(BUILD) --target UIKit
	$(BUILD) --target OSLog
	@Deploy/reference.sh

clean: ## remove what was built
	$(SWIFT) package clean
	rm -rf .build/tsan .build/mutants .build/model .build/fuzz .build/static .build/packages \
		.build/package-tests
