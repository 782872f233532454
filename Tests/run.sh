#!/usr/bin/env bash
#
# Builds and runs the tests, with an avahi-daemon within reach; the last line is the runner's own.
#
# usage: run.sh [--tsan] [OPTION OF swift test...]      for example: run.sh --filter TidyTests
#        --tsan: in debug under the thread sanitizer, without lab, page, the packages outside, tests
#        of how much memory a flood costs, and the core and the simulator, which have one thread
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SWIFT=${SWIFT:-swift}
# Tests in these targets wait with deadlines for real daemons, sockets, processes, disks and
# browsers, or for daemons in network namespaces of their own. In each part they run one at a time,
# and the parts beside one another, as they wait most of the time. Tests in all other targets are
# `pure`, and run in parallel.
readonly live='(ParleyNodeTests|ParleyStoreTests|ParleyTransportTests)\.'
readonly outside='OutsideTests\.'
# The suites of commands and of the page are in two parts each, by their first letters.
readonly commands='(ParleyCommandTests\.[A-O]|MessagesHostTests\.)'
readonly further_commands='ParleyCommandTests\.[P-Z]'
readonly avahi='ParleyDiscoveryTests\.'
readonly lab='LabTests\.'
readonly page='PageTests\.[A-O]'
readonly further_page='PageTests\.[P-Z]'
readonly waiting="$live|$outside|$commands|$further_commands|$avahi|$lab|$page|$further_page"

read -ra options <Deploy/build-options
# A target that imports what it does not declare is an error. That is looked for before compiling.
build_options=(--build-tests --explicit-target-dependency-import-check error)
test_options=()
if [[ ${1:-} == --tsan ]]; then
    shift
    options=(--sanitize thread --scratch-path .build/tsan)
    skipped='LabTests|OutsideTests|PageTests|ParleyCoreTests|ParleyFaultsTests'
    test_options+=(--skip "^($skipped)\\.|TutorialTests|AnnouncedFloodTests")
    export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.supp"
fi
# A line for each compiled file is for people who wait; a log needs the errors and the tests.
if [[ ! -t 1 ]]; then
    build_options+=(--quiet)
    echo "building the tests (the first time some minutes) …"
fi
# Without root there may be no way to start a daemon; the suites that need one say so and are
# skipped. With root there is, and not to have it is a failure.
avahi_options=()
((EUID == 0)) || avahi_options+=(--if-possible)

results=$(mktemp -d)
readonly results
runners=()
clean_up() {
    for runner in "${runners[@]}"; do
        kill -- "-$runner" 2>/dev/null || true
    done
    rm -rf "$results"
}
trap clean_up EXIT

# Passes on what the runner says, without colors and without a line for each argument of a test.
# Keeps the issues and the closing line for the end, in files of FOLDER. Fails if there is no
# closing line, because the runner has crashed, and keeps the test that was started last.
keep_results() { # FOLDER
    awk -v results="$1" '
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

# Runs a part of the tests; its results are in a folder of its name, with a file `broken` if a test
# failed or the runner crashed.
run_tests() { # NAME CMD...
    local codes folder=$results/$1
    mkdir "$folder"
    touch "$folder"/{issues,passed,failed}
    set +e
    # The program writes to its standard error.
    "${@:2}" 2>&1 | keep_results "$folder"
    codes=("${PIPESTATUS[@]}")
    set -e
    if ((codes[1] != 0)); then
        echo "✘ The runner of the $1 tests ended with ${codes[0]} before it had run all" \
            >>"$folder/failed"
    fi
    # With 69 the program says that none of these tests was chosen.
    (((codes[0] == 0 || codes[0] == 69) && codes[1] == 0)) || touch "$folder/broken"
}

# Does the same beside what follows; its output goes to a file. It gets a process group of its own,
# so that it can be ended as a whole.
start_tests() { # NAME CMD...
    set -m
    run_tests "$@" >"$results/$1.log" 2>&1 </dev/null &
    runners+=("$!")
    set +m
}

# The longest chain of modules that wait for one another comes first: all others, and the tests,
# need little of one another, and keep all processors busy to the end.
"$SWIFT" build "${options[@]}" "${build_options[@]:1}" --target ParleyWeb
"$SWIFT" build "${options[@]}" "${build_options[@]}"
built=$SECONDS
# The program itself, as several `swift test` at once lock each other out.
bin=$("$SWIFT" build "${options[@]}" --show-bin-path)
test_command=("$bin/parleyPackageTests.xctest" --testing-library swift-testing "${test_options[@]}")
start_part() { # NAME OPTION...
    start_tests "$1" "${test_command[@]}" --no-parallel --skip "^(?!${!1})" "${@:2}"
}
# The longest parts come first.
for part in lab page further_page; do start_part "$part" "$@"; done
run_tests pure "${test_command[@]}" --skip "^($waiting)" "$@"
for part in commands further_commands avahi outside; do start_part "$part" "$@"; done
run_tests live Deploy/with-avahi.sh "${avahi_options[@]}" \
    "${test_command[@]}" --no-parallel --skip "^(?!$live)" "$@"
echo "Waiting for the tests that run beside these, whose output follows."
wait "${runners[@]}"
runners=()
cat "$results"/{avahi,lab,page,further_page,commands,further_commands,outside}.log

parts=("$results"/{pure,avahi,lab,page,further_page,commands,further_commands,outside,live})
cat "${parts[@]/%//issues}"
echo "Building took $built s, testing $((SECONDS - built)) s."
cat "${parts[@]/%//passed}" "${parts[@]/%//failed}"
broken=("$results"/*/broken)
[[ ! -e ${broken[0]} ]]
