#!/usr/bin/env bash
#
# Builds the fuzzer in .build/fuzz: our own modules anew, with counters of the branches that an input
# takes, and everything else from the build in release, which must be there.
#
# usage: build.sh [--fast]   with the address sanitizer, or without it
#        build.sh --check    compiles what is here with the sources, and makes no program
#
# A module whose sources, and those of the modules before it, are unchanged is not compiled again.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly release=$PWD/.build/release
sanitizers=fuzzer,address
defines=(-D SANITIZED)
out=.build/fuzz/checked
case ${1:-} in
--fast)
    sanitizers=fuzzer
    defines=()
    out=.build/fuzz/fast
    ;;
--check) out=.build/fuzz/check ;;
esac
readonly swiftc=${SWIFTC:-${SWIFT:-swift}c}
mkdir -p "$out"

mapfile -t maps < <(
    grep -ho -e '-fmodule-map-file=[^"]*' .build/release.yaml | sort -u | grep -v -e BoringSSL -e CXKCP
)
# SwiftPM names a package after its folder, and what is `package` is seen in that package only.
package=$(sed -n 's/.*"-module-name","ParleyLoop".*"-package-name","\([^"]*\)".*/\1/p' \
    .build/release.yaml | head -n 1)
[[ -n $package ]] || {
    echo "fuzz: there is no build in release; make test makes one" >&2
    exit 69
}
flags=(
    -O -wmo -parse-as-library "-sanitize=$sanitizers" -gline-tables-only -package-name "$package"
    -swift-version 6 -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
    -module-cache-path "$PWD/.build/fuzz/cache" -I "$out" -I "$release/Modules" "${defines[@]}"
)
for map in "${maps[@]}"; do flags+=(-Xcc "$map"); done

swift_files() { # swift_files FOLDER...: sorted, so that the sum is the same everywhere
    find "$@" -name '*.swift' | sort
}

proxy() { swift_files Sources/ParleyProxy Tests/Fuzz/Beside/ParleyProxy.swift; }
store() { swift_files Sources/ParleyStore Tests/Fuzz/Beside/ParleyStore.swift; }
# The commands are one module, of which a folder reads what people write.
fuzz() {
    swift_files Tests/Fuzz/{Targets,World} Sources/ParleyCommand/Configuration
    ls Tests/Fuzz/*.swift Sources/ParleyCommand/{Process/ProgramApps,Input/SmallFile}.swift \
        Sources/{ParleyCommand/Output/{FailureReport,FileProblem},ParleyWeb/Routes/BatchLines}.swift
}

read_module() { # read_module MODULE FILE...: makes the interface of a module, and no code
    "$swiftc" "${flags[@]}" -Onone -module-name "$1" -emit-module \
        -emit-module-path "$out/$1.swiftmodule" "${@:2}"
}

# shellcheck disable=SC2046 # names of sources have no spaces
check() {
    read_module ParleyProxy $(proxy)
    read_module ParleyStore $(store)
    "$swiftc" "${flags[@]}" -module-name Fuzz -typecheck $(fuzz)
}

# The modules that are compiled anew, and the sum of all sources so far.
built=()
sum=$("$swiftc" --version 2>/dev/null | head -n 1)

compile() { # compile MODULE FILE...
    local module=$1
    shift
    sum=$({ echo "$sum" "${flags[@]}" && cat "$@"; } | sha256sum)
    built+=("$module")
    [[ $(cat "$out/$module.sum" 2>/dev/null) == "$sum" && -f $out/$module.o ]] && return
    echo "fuzz: compiling $module" >&2
    rm -f "$out/$module.sum"
    "$swiftc" "${flags[@]}" -module-name "$module" -emit-module \
        -emit-module-path "$out/$module.swiftmodule" -c -o "$out/$module.o" "$@"
    echo "$sum" >"$out/$module.sum"
}

# shellcheck disable=SC2046 # names of sources have no spaces
build() {
    compile ParleyCore $(swift_files Sources/ParleyCore)
    compile ParleyKeys $(swift_files Sources/ParleyKeys)
    compile ParleyYAML $(swift_files Sources/ParleyYAML)
    compile ParleyFaults $(swift_files Sources/ParleyFaults)
    compile ParleyValues $(swift_files Sources/ParleyValues)
    compile ParleyAPI $(swift_files Sources/ParleyAPI)
    compile ParleyProxy $(proxy)
    compile ParleyStore $(store)
    compile Fuzz $(fuzz)
}

link() {
    local unused
    unused=$(IFS='|' && echo "${built[*]}|ParleyCommand|parley")
    rm -f "$out/rest.a"
    grep -vE "/($unused)\.build/[^/]*$" "$release/parley.product/Objects.LinkFileList" |
        xargs ar qcsT "$out/rest.a"
    local objects=("${built[@]/#/$out/}")
    "$swiftc" "-sanitize=$sanitizers" -parse-as-library -use-ld=lld "${objects[@]/%/.o}" \
        -o "$out/fuzz" "$out/rest.a" -lssl -lcrypto -lsodium -lqrencode -lz -lsqlite3 \
        -lavahi-client -lavahi-common
}

if [[ ${1:-} == --check ]]; then
    check
    exit
fi
build
if [[ $(cat "$out/fuzz.sum" 2>/dev/null) != "$sum" || ! -x $out/fuzz ]]; then
    link
    echo "$sum" >"$out/fuzz.sum"
fi
echo "$out/fuzz"
