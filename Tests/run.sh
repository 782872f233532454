#!/usr/bin/env bash
#
# Builds and runs the tests, with an avahi-daemon within reach; the last line is the runner's own.
#
# usage: run.sh [--tsan] [OPTION OF swift test...]      for example: run.sh --filter TidyTests
#        --tsan: under the thread sanitizer, without the lab and the outside packages
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SWIFT=${SWIFT:-swift}
build_options=(--build-tests)
# One test at a time: many wait for real daemons and sockets with a deadline, and on two cores the
# laws that count for a minute would take their time away.
test_options=(--skip-build --disable-xctest --no-parallel)
avahi_options=()

if [[ ${1:-} == --tsan ]]; then
    shift
    build_options+=(--sanitize thread --scratch-path .build/tsan)
    test_options+=(--sanitize thread --scratch-path .build/tsan --skip "LabTests|OutsidePackageTests")
    export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.supp"
fi
# Without root there may be no way to start a daemon; the suites that need one say so and are
# skipped. With root there is, and not to have it is a failure.
((EUID == 0)) || avahi_options+=(--if-possible)

run_tests() {
    Deploy/with-avahi.sh "${avahi_options[@]}" "$SWIFT" test "${test_options[@]}" "$@"
}

# Leaves out a line for each argument of a test, and says again before the closing line what failed.
for_logs() {
    awk '
        /^◇ Test case / { next }
        /^✘ Test run with / { for (n = 0; n < count; n++) print failed[n] }
        /^✘ .* recorded an issue/ { isFailure = 1 }
        /^(◇|✔|➜|✘) / && !/ recorded an issue/ { isFailure = 0 }
        isFailure { failed[count++] = $0 }
        { print; fflush() }
    '
}

if [[ -t 1 ]]; then
    "$SWIFT" build "${build_options[@]}"
    run_tests "$@"
else
    # A line for each compiled file is for people who wait; a log needs the errors and the tests.
    "$SWIFT" build --quiet "${build_options[@]}"
    run_tests "$@" | for_logs
fi
