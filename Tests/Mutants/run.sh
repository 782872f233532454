#!/usr/bin/env bash
#
# Applies each patch of this folder to a copy of the core, builds the simulator with it, and runs it
# until a checker fails. Prints a table: mutant, seed, promise that is broken. Then it does the same
# for the mutants that are wrappers and need no patch. Fails if a mutant survives.
#
# usage: run.sh [--from SEED] [NAME...]  from the recorded seeds, or from SEED on; with names only
#                                        the patches of these names, and no wrapper
#        run.sh --guided [NAME...]       the same in the order of GuidedSeeds
#        run.sh --check                  only whether each patch applies
#        run.sh --choose SEED RUNS COUNT no mutant: COUNT seeds of so many runs, which reach most, for
#                                        GuidedSeeds.swift
#
# Needs no network. Everything is built in .build/mutants.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly SWIFT=${SWIFT:-swift}
readonly here=$PWD
readonly project=${PWD%/*/*}
readonly scratch=$project/.build/mutants
readonly copy=$scratch/package

# One at a time, as there is one copy. The lock ends with flock, whatever a build leaves running.
if [[ -z ${MUTANTS_LOCKED:-} ]]; then
    mkdir -p "$scratch"
    MUTANTS_LOCKED=yes exec flock --close "$scratch/lock" "$here/run.sh" "$@"
fi

# Applies a patch to plain files, wherever they lie: git must not look for a repository above them.
apply() { # apply DIRECTORY [--check] PATCH
    GIT_CEILING_DIRECTORIES=${1%/*} git -C "$1" apply "${@:2}"
}

# Files that are equal already stay untouched, so that only what differs is compiled again.
copy_file() { # copy_file FROM TO
    cmp -s "$1" "$2" && return
    mkdir -p "$(dirname "$2")"
    cp "$1" "$2"
}

sources_in() { # sources_in DIRECTORY
    (
        cd "$1"
        find Sources/ParleyCore Sources/ParleyFaults -name '*.swift' \
            -not -path 'Sources/ParleyFaults/Plans/*'
    )
}

# Makes the copy equal to the project.
make_copy() {
    local file
    mkdir -p "$copy"/Sources/{ParleyCore,ParleyFaults}
    copy_file "$here/Package.swift" "$copy/Package.swift"
    copy_file "$here/Runner/main.swift" "$copy/Sources/mutants/main.swift"
    sources_in "$copy" | while read -r file; do
        [[ -f $project/$file ]] || rm "$copy/$file"
    done
    sources_in "$project" | while read -r file; do
        copy_file "$project/$file" "$copy/$file"
    done
}

build() { # build --product NAME
    "$SWIFT" build --package-path "$copy" --scratch-path "$scratch/build" --disable-index-store \
        -debug-info-format none "$@" >"$scratch/log" 2>&1 && return
    (grep -a -A 4 'error:' "$scratch/log" || cat "$scratch/log") | head -n 20 >&2
    return 1
}

run() { "$scratch/build/debug/mutants" "$@"; }

run_patch() { # run_patch FILE
    local name=${1#*-} seed
    name=${name%.patch}
    seed=$(sed -n 's/^Seed: //p' "$1")
    make_copy
    if ! { apply "$copy" "$here/$1" && build --product mutants; }; then
        echo "$name cannot be built"
        return 1
    fi
    run patched "$name" "${from:-$seed}" $guided
}

# Then the control: the seeds of the patches are good without a mutant.
run_wrappers() {
    local seeds
    mapfile -t seeds < <(sed -n 's/^Seed: //p' ./*.patch | sort -nu)
    make_copy
    build --product mutants || return 1
    run wrappers ${from:+"$from"} $guided && run control "${seeds[@]}"
}

# With another package: a core with counters is twice the size, and of no use for mutants.
choose() { # choose SEED RUNS COUNT
    local reach=$scratch/reach
    make_copy
    mkdir -p "$reach/Sources"
    rm -rf "$reach/Sources"/*
    cp -Rp "$copy"/Sources/{ParleyCore,ParleyFaults} "$here/Reach/Counters" "$reach/Sources/"
    copy_file "$here/Reach/main.swift" "$reach/Sources/reach/main.swift"
    copy_file "$here/Reach/Package.swift" "$reach/Package.swift"
    "$SWIFT" build -c release --package-path "$reach" --quiet -debug-info-format none
    LLVM_PROFILE_FILE=/dev/null "$reach/.build/release/reach" "$@"
}

from=
guided=
patches=(*.patch)
wrappers=yes
failed=0
case ${1:-} in
    --check)
        for patch in "${patches[@]}"; do apply "$project" --check "$here/$patch"; done
        exit
        ;;
    --choose)
        choose "${@:2}"
        exit
        ;;
    --guided)
        guided=guided
        shift
        ;;
    --from)
        from=$2
        shift 2
        ;;
esac
if (($# > 0)); then
    wrappers=
    patches=()
    for name in "$@"; do patches+=([0-9][0-9]-"$name".patch); done
fi

for patch in "${patches[@]}"; do
    run_patch "$patch" || failed=1
done
[[ -z $wrappers ]] || run_wrappers || failed=1
exit "$failed"
