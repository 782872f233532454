#!/usr/bin/env bash
#
# Makes the reference of the public modules with DocC, in .build/reference, one archive for each.
#
# usage: reference.sh      the modules have to be built: swift build $(cat Deploy/build-options)
#
# The symbols are read from the modules that were built, so that nothing is compiled again. A warning
# of DocC is an error.

set -euo pipefail
cd "$(dirname "$0")/.."

modules=(Messages UIKit OSLog MessagesHost MessagesTesting ParleyNode ParleyCommand)
built=.build/release
out=.build/reference

# Whoever reads a Swift module has to find the C modules that it was compiled with. SwiftPM writes the
# maps of those that have none; a copy of OpenSSL that nothing of ours is compiled with has one, too.
maps=()
for map in Sources/*/module.modulemap "$built"/*.build/module.modulemap \
    .build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap \
    .build/checkouts/*/Sources/*/include/module.modulemap; do
    case $map in
    *BoringSSL* | *CXKCP* | *GRDBSQLCipher*) ;;
    *) maps+=(-Xcc "-fmodule-map-file=$map") ;;
    esac
done

tool() { # the tool $1 of the toolchain whose Swift is used
    local swift
    swift=$(readlink -f "$(command -v "${SWIFT:-swift}")")
    local beside
    beside=$(dirname "$swift")/$1
    if [ -x "$beside" ]; then echo "$beside"; else command -v "$1"; fi
}

extract=$(tool swift-symbolgraph-extract)
docc=$(tool docc)
target=$("$(tool swift)" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -n 1)

rm -rf "$out"
for module in "${modules[@]}"; do
    symbols=$out/symbols/$module
    mkdir -p "$symbols"
    "$extract" -module-name "$module" -I "$built/Modules" "${maps[@]}" -target "$target" \
        -minimum-access-level public -experimental-allowed-reexported-modules=ParleyValues \
        -output-dir "$symbols"
    "$docc" convert "Sources/$module/$module.docc" \
        --additional-symbol-graph-dir "$symbols" \
        --fallback-display-name "$module" --fallback-bundle-identifier "parley.$module" \
        --transform-for-static-hosting --hosting-base-path "$module" \
        --warnings-as-errors --output-path "$out/$module" >/dev/null
    echo "$module: $out/$module/documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')/index.html"
done
