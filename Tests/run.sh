#!/usr/bin/env bash
#
# Builds and runs the tests, with an avahi-daemon within reach; the last line is the runner's own.
#
# usage: run.sh [--tsan] [OPTION OF swift test...]      for example: run.sh --filter TidyTests
#        --tsan: in debug under the thread sanitizer, without the lab and the packages outside
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SWIFT=${SWIFT:-swift}
# Tests in these targets wait with deadlines for real daemons, sockets, processes and disks: they run
# one at a time with nothing beside them. Tests in all other targets run in parallel.
live='LabTests|MessagesHostTests|OutsideTests|ParleyCommandTests|ParleyDiscoveryTests'
live+='|ParleyNodeTests|ParleyStoreTests|ParleyTransportTests'
readonly live_tests="^($live)\\."
readonly pure_tests="^(?!($live)\\.)"

read -ra options <Deploy/build-options
# A target that imports what it does not declare is an error. That is looked for before compiling.
build_options=(--build-tests --explicit-target-dependency-import-check error)
test_options=(--skip-build --disable-xctest)
if [[ ${1:-} == --tsan ]]; then
    shift
    options=(--sanitize thread --scratch-path .build/tsan)
    test_options+=(--skip '^(LabTests|OutsideTests)\.|TutorialTests')
    export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.supp"
fi
# A line for each compiled file is for people who wait; a log needs the errors and the tests.
[[ -t 1 ]] || build_options+=(--quiet)
# Without root there may be no way to start a daemon; the suites that need one say so and are
# skipped. With root there is, and not to have it is a failure.
avahi_options=()
((EUID == 0)) || avahi_options+=(--if-possible)

results=$(mktemp -d)
readonly results
trap 'rm -rf "$results"' EXIT
touch "$results"/{issues,passed,failed}

# Passes on what the runner says, without colors and without a line for each argument of a test.
# Keeps the issues and the closing line for the end. Fails if there is no closing line, because the
# runner has crashed, and keeps the test that was started last.
keep_results() {
    awk -v results="$results" '
        { gsub(/\033\[[0-9;]*m/, "") }
        /^(✔|✘) Test run with / {
            isClosed = 1
            if (!/ with 0 tests /) print >> (results (/^✔/ ? "/passed" : "/failed"))
            next
        }
        /^◇ Test case / { next }
        /^◇ Test .* started/ { last = $0 }
        /^✘ .* recorded an issue/ { isIssue = 1 }
        /^(◇|✔|➜|✘) / && !/ recorded an issue/ { isIssue = 0 }
        isIssue { print >> (results "/issues") }
        { print; fflush() }
        END {
            if (!isClosed && last != "") print last >> (results "/issues")
            exit !isClosed
        }
    '
}

exit_code=0
run_tests() { # NAME CMD...
    local codes
    set +e
    "${@:2}" | keep_results
    codes=("${PIPESTATUS[@]}")
    set -e
    if ((codes[1] != 0)); then
        echo "✘ The runner of the $1 tests ended with ${codes[0]} before it had run all" \
            >>"$results/failed"
    fi
    ((codes[0] == 0 && codes[1] == 0)) || exit_code=1
}

"$SWIFT" build "${options[@]}" "${build_options[@]}"
built=$SECONDS
test_command=("$SWIFT" test "${options[@]}" "${test_options[@]}")
run_tests pure "${test_command[@]}" --skip "$live_tests" "$@"
run_tests live Deploy/with-avahi.sh "${avahi_options[@]}" \
    "${test_command[@]}" --no-parallel --skip "$pure_tests" "$@"

cat "$results/issues"
echo "Building took $built s, testing $((SECONDS - built)) s."
cat "$results/passed" "$results/failed"
exit "$exit_code"
