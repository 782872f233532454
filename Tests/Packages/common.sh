#!/usr/bin/env bash
#
# What the tests of packages share; they source it. Each has a deadline, ends with one line that
# says what came out, and leaves neither mounts nor processes, however it ends.
set -Eeuo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly TEST=${0##*/}
readonly BUILT=$PWD/.build/package-tests

say() { printf '%s: %s\n' "$TEST" "$*"; }

fail() {
    say "FAILED: $*" >&2
    exit 1
}

# Becomes the same script with a deadline, and with processes and mounts of its own, which end with
# it however it ends.
with_deadline() { # SECONDS ARGUMENTS-OF-THE-SCRIPT...
    [[ -z ${PARLEY_TEST_DEADLINE:-} ]] || return 0
    ((EUID == 0)) || fail "needs root, for namespaces and device nodes"
    export PARLEY_TEST_DEADLINE=$1
    exec timeout --kill-after=30 "$1" \
        unshare --mount --pid --fork --kill-child --mount-proc "$0" "${@:2}"
}

# Commands to run at the end, the last one first.
endings=()
at_end() { endings+=("$(printf '%q ' "$@")"); }

finish() {
    local code=$? index
    trap '' TERM INT HUP
    trap - ERR
    set +e
    for ((index = ${#endings[@]} - 1; index >= 0; index--)); do
        eval "${endings[index]}"
    done
    # A test that binds devices of the machine can break them for all of it.
    if [[ $(stat --format=%a /dev/null) != 666 ]]; then
        chmod 666 /dev/null
        say "FAILED: /dev/null of this machine had other rights at the end"
        code=1
    fi
    if ((code == 0)); then
        say "passed in $SECONDS s"
    elif ((code == 143)); then
        say "FAILED: not done within $PARLEY_TEST_DEADLINE s"
    else
        say "FAILED (exit code $code)"
    fi
    exit "$code"
}
trap finish EXIT
trap 'exit 143' TERM INT HUP
trap '((BASH_SUBSHELL)) || say "line $LINENO: $BASH_COMMAND" >&2' ERR

wait_until() { # SECONDS CMD...
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

# Fills the new folder `root`, in memory, with the system of an archive that roots.sh has made.
unpack_root() { # NAME
    [[ -s $BUILT/$1.tar ]] || fail "$BUILT/$1.tar is missing: run Tests/Packages/run.sh"
    # shellcheck disable=SC2154 # Whoever sources this has made it.
    at_end rmdir "$root"
    mount -t tmpfs -o mode=0755,size=3g tmpfs "$root"
    at_end umount --recursive --lazy "$root"
    tar --extract --numeric-owner --directory "$root" --file "$BUILT/$1.tar"
    # Packages may start their services here, as on a machine.
    rm -f "$root/usr/sbin/policy-rc.d"
    cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
}

# Runs a command in `root`, with a /proc of its own; what it leaves running ends with it. Options of
# unshare come first, up to `--`.
in_root() { # [OPTION...] -- CMD...
    local options=()
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    shift
    # shellcheck disable=SC2016 # The inner shell expands.
    unshare --mount --pid --ipc --uts --fork --kill-child "${options[@]}" \
        bash -c 'mount -t proc proc "$1/proc" && if [[ $2 == *--net* ]]; then ip link set lo up; fi
            exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
                LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:3}"' \
        - "$root" "${options[*]}" "$@"
}

# Installs packages in `root`, files of this machine among them.
install_in_root() { # FILE-OR-NAME...
    local names=() name
    for name in "$@"; do
        if [[ $name == */* ]]; then
            cp "$name" "$root/root/"
            name=/root/${name##*/}
        fi
        names+=("$name")
    done
    in_root -- apt-get -qq -o Dpkg::Use-Pty=0 install --yes --no-install-recommends \
        "${names[@]}" >"$root/root/log" 2>&1 || fail "$(cat "$root/root/log")"
}
