#!/usr/bin/env bash
#
# Builds the packages in this folder, which depend on Parley from outside, and runs each in the
# language modes that it names. Needs no network once the project itself has been built.
#
# usage: run.sh
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly SWIFT=${SWIFT:-swift}
readonly project=../..
readonly fetched=$project/.build
readonly scratch=$fetched/outside

# Packages that the project's own build has fetched are linked, not fetched again. SwiftPM reads the
# manifests of everything that Parley depends on, but builds nothing of it.
options=(--scratch-path "$scratch" --disable-index-store -debug-info-format none)
readonly pins=$project/Package.resolved
if [[ -f $fetched/workspace-state.json && -f $pins ]]; then
    if [[ ! -d $scratch/checkouts || $pins -nt $scratch/workspace-state.json ]]; then
        rm -rf "$scratch/checkouts" "$scratch/repositories"
        mkdir -p "$scratch"
        for folder in checkouts repositories; do
            cp -al "$fetched/$folder" "$scratch/" || cp -a "$fetched/$folder" "$scratch/"
        done
        cp "$fetched/workspace-state.json" "$scratch/"
    fi
    cp "$pins" .
    options+=(--only-use-versions-from-resolved-file)
fi

# The second target of each package is the same files, in the other mode. SwiftPM wants a folder for
# each target; links do not survive every way in which sources are passed on, so they are made here.
# A private property that is new in an open class shifts what its subclasses elsewhere have; the
# compiler does not build them anew for that, so after a change of Messages all begin from scratch.
readonly built=$scratch/built
changed=yes
[[ -e $built && -z $(find "$project"/Sources/{Messages,UIKit} -newer "$built") ]] && changed=no
for package in */Package.swift; do
    name=${package%/*}
    ln -sfn "$name" "$name/Sources/${name}6"
    [[ $changed == no ]] || rm -rf "$scratch"/debug/{"$name","${name}6"}.build
done

# Code in mode 5 gets warnings, as it does on iOS: only what fails is shown.
mkdir -p "$scratch"
if ! "$SWIFT" build --quiet "${options[@]}" >"$scratch/build.log" 2>&1; then
    cat "$scratch/build.log" >&2
    exit 1
fi
touch "$built"
linked=()
for package in */Package.swift; do
    name=${package%/*}
    for program in "$name" "${name}6"; do
        grep -q "\"$program\"" "$package" || continue
        "$scratch/debug/$program" || { echo "$program failed" >&2; exit 1; }
        linked+=("$scratch/debug/$program.product/Objects.LinkFileList")
    done
done

# The parts of the programs, a line for each module.
sed -E 's,.*/([^/]+)\.build/.*,\1,' "${linked[@]}" | sort -u
