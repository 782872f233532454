#!/usr/bin/env bash
#
# Builds the fuzzer and runs each target for its share of the time, from the seeds and the corpus of
# this folder. An input that ends the process is copied to crashers/TARGET, and fails the run with
# the command that repeats it. The build in release must be there: `make run` and `make test` make it.
#
# usage: run.sh [--seconds N] [--fast] [TARGET...]   N seconds in all, 60 unless given; --fast runs
#                                                    without the address sanitizer, and 200 changed
#                                                    copies of each input
#        run.sh --merge [TARGET...]                  keeps the inputs in the corpus that reach more
#
# New inputs stay in .build/fuzz/corpus.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly here=Tests/Fuzz
readonly work=.build/fuzz
# The largest input, and the most files of a target in the corpus, the smallest ones first.
readonly bytes_max=4096
readonly files_max=40

seconds=60
merges=
kind=
while (($# > 0)); do
    case $1 in
        --seconds) seconds=$2 && shift ;;
        --fast) kind=--fast ;;
        --merge) merges=yes ;;
        *) break ;;
    esac
    shift
done
targets=("$@")
((${#targets[@]} > 0)) ||
    targets=(
        frames cbor envelopes batches links invites configuration plans control proxy recovery store
    )

# Executions go through all changed copies, too.
if [[ $kind == --fast ]]; then
    export PARLEY_FUZZ_NEIGHBOURS=${PARLEY_FUZZ_NEIGHBOURS-200}
else
    unset PARLEY_FUZZ_NEIGHBOURS
fi
# Stores that are opened leave nothing to look for, and Swift's own tables are never freed.
# The reporter of Swift's own crashes and the sanitizer get into each other's way.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:handle_abort=1

fuzzer=$("$here/build.sh" ${kind:+"$kind"})
rm -rf "$work/seeds"
"$here/seeds.py" "$work/seeds"

# Makes the folders of a target, and the seeds that code makes.
prepare() { # prepare TARGET
    local target=$1 log=$work/$1.log
    export PARLEY_FUZZ=$target
    mkdir -p "$work/seeds/$target" "$work/corpus/$target" "$here/corpus/$target" "$work/found/$target"
    PARLEY_FUZZ_SEEDS=$work/seeds/$target "$fuzzer" >"$log" 2>&1 && return
    grep -aE 'ERROR: |broken: |cannot be made' "$log" | head -n 5
    return 1
}

run_target() { # run_target TARGET SECONDS
    local target=$1 found=$work/found/$1 log=$work/$1.log status=0 input
    prepare "$target" || return 1
    rm -f "$found"/*
    # Inputs that once broke something come first.
    if [[ -d $here/crashers/$target ]]; then
        "$fuzzer" "$here/crashers/$target"/* >"$log" 2>&1 || status=$?
    fi
    ((status != 0)) || "$fuzzer" "-max_total_time=$2" -timeout=60 -rss_limit_mb=2560 \
        -max_len="$bytes_max" -detect_leaks=0 -print_final_stats=1 "-artifact_prefix=$found/" \
        "$work/corpus/$target" "$work/seeds/$target" "$here/corpus/$target" \
        >"$log" 2>&1 || status=$?
    if ((status == 0)); then
        awk -v target="$target" -v copies="$((1 + ${PARLEY_FUZZ_NEIGHBOURS:-0}))" '
            /^stat::number_of_executed_units/ { runs = $2 }
            /^stat::new_units_added/ { added = $2 }
            / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cover = $(i + 1) }
            END { printf "%-13s %12d executions, %5d branches, %4d new inputs\n",
                  target, runs * copies, cover, added }' "$log"
        return
    fi
    grep -aE 'ERROR: |SUMMARY|broken: |one input took|cannot be made' "$log" | head -n 5
    mkdir -p "$here/crashers/$target"
    for input in "$found"/*; do
        [[ -f $input ]] || continue
        cp "$input" "$here/crashers/$target/"
        echo "repeat it: PARLEY_FUZZ=$target $fuzzer $here/crashers/$target/${input##*/}"
    done
    return 1
}

merge_target() { # merge_target TARGET
    local target=$1 merged=$work/merged
    prepare "$target" || return 1
    rm -rf "$merged" && mkdir -p "$merged"
    # What the seeds reach needs no file.
    "$fuzzer" -merge=1 -max_len="$bytes_max" -detect_leaks=0 -timeout=60 \
        "$merged" "$work/seeds/$target" "$here/corpus/$target" "$work/corpus/$target" \
        >"$work/$target.log" 2>&1
    local name
    rm -f "$here/corpus/$target"/*
    find "$merged" -type f -size -2k -printf '%s %p\n' | sort -n | head -n "$files_max" |
        while read -r _ name; do cp "$name" "$here/corpus/$target/"; done
    echo "$target: $(find "$here/corpus/$target" -type f | wc -l) files"
}

if [[ -n $merges ]]; then
    for target in "${targets[@]}"; do merge_target "$target"; done
    exit
fi
share=$((seconds / ${#targets[@]}))
((share > 0)) || share=1
failed=0
for target in "${targets[@]}"; do run_target "$target" "$share" || failed=1; done
exit "$failed"
