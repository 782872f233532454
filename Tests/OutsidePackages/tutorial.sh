#!/usr/bin/env bash
#
# Compiles the package of docs/writing-apps.md from outside and runs its tests. Needs no network.
# Prints the path of the program on the last line.
#
# SwiftPM reads the manifest and looks for the products that it names. What it would do then is to
# compile all of Parley and its packages once more. Instead the compiler takes the modules and the
# objects of the build that runs this: as another package, so that only what is public can be used.
#
# usage: tutorial.sh FOLDER   (the package; Parley must lie next to it as "parley")
set -Eeuo pipefail

readonly SWIFT=${SWIFT:-swift}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly project
readonly built=$project/.build/release
readonly scratch=$project/.build/tutorial
cd "${1:?usage: tutorial.sh FOLDER}"

# Packages that the project's own build has fetched are linked, not fetched again.
rm -rf "$scratch"
mkdir -p "$scratch"
options=(--scratch-path "$scratch")
if [[ -f $project/.build/workspace-state.json && -f $project/Package.resolved ]]; then
    cp -al "$project/.build/checkouts" "$project/.build/repositories" "$scratch/"
    cp "$project/.build/workspace-state.json" "$scratch/"
    cp "$project/Package.resolved" .
    options+=(--only-use-versions-from-resolved-file)
fi
"$SWIFT" package "${options[@]}" show-dependencies --format flatlist >/dev/null

# Prints the objects that a product of the build is linked from, without the programs and tests.
objects() { # PRODUCT
    sed -E '/\/(parley|Sample[^/]*|[^/]*Tests|TestSupport|WebDriver|PageSupport)\.build\//d' \
        "$built/$1.product/Objects.LinkFileList"
}

# Modules of Swift name the modules of C below them. SwiftPM says where those are; its plan knows.
maps=()
while read -r map; do maps+=(-Xcc "$map"); done < <(
    grep -o -- '-fmodule-map-file=[^"]*' "$project/.build/release.yaml" | sort -u
)

compile() { # OPTION OF swiftc...
    "${SWIFT}c" -swift-version 6 -package-name game -wmo -parse-as-library \
        -I "$built/Modules" -I "$scratch" "${maps[@]}" "$@"
}

objects parley >"$scratch/parley.objects"
objects parleyPackageTests >"$scratch/tests.objects"
cat >"$scratch/Runner.swift" <<'END'
import Testing

@main struct Runner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
END

compile -module-name TicTacToe -emit-module -emit-module-path "$scratch/TicTacToe.swiftmodule" \
    -c Sources/TicTacToe/*.swift -o "$scratch/TicTacToe.o"
compile -module-name play -emit-executable Sources/play/*.swift "$scratch/TicTacToe.o" \
    "@$scratch/parley.objects" -lstdc++ -o "$scratch/play"
plugins=$(dirname "$(readlink -f "$(command -v "${SWIFT}c")")")/../lib/swift/host/plugins/testing
compile -module-name TicTacToeTests -plugin-path "$plugins" -emit-executable \
    Tests/TicTacToeTests/*.swift "$scratch/Runner.swift" "$scratch/TicTacToe.o" \
    "@$scratch/tests.objects" -lstdc++ -o "$scratch/tests"
"$scratch/tests" >&2
echo "$scratch/play"
