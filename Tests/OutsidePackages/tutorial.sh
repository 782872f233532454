#!/usr/bin/env bash
#
# Builds the package of docs/writing-apps.md from outside and runs its tests. Needs no network once
# the project itself has been built. Prints the path of the program on the last line.
#
# usage: tutorial.sh FOLDER   (the package; Parley must lie next to it as "parley")
set -Eeuo pipefail

readonly SWIFT=${SWIFT:-swift}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly project
readonly scratch=$project/.build/tutorial
cd "${1:?usage: tutorial.sh FOLDER}"

# What the project's own build has fetched is linked, not fetched again.
options=(--scratch-path "$scratch")
if [[ -f $project/.build/workspace-state.json && -f $project/Package.resolved ]]; then
    if [[ ! -d $scratch/checkouts || $project/Package.resolved -nt $scratch/workspace-state.json ]]; then
        rm -rf "$scratch/checkouts" "$scratch/repositories"
        mkdir -p "$scratch"
        cp -al "$project/.build/checkouts" "$project/.build/repositories" "$scratch/"
        cp "$project/.build/workspace-state.json" "$scratch/"
    fi
    cp "$project/Package.resolved" .
    options+=(--only-use-versions-from-resolved-file)
fi

"$SWIFT" build --quiet --build-tests "${options[@]}" >&2
"$SWIFT" test --quiet --skip-build "${options[@]}" >&2
echo "$scratch/debug/play"
