#!/usr/bin/env bash
#
# The package on a system that has little more than apt, and no Swift: it installs, and a node starts
# there, is ready, takes a message and stops.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 300 "$@"

root=$(mktemp -d "$BUILT/root.XXXXXX")
unpack_root bare
install_in_root "$BUILT"/new/parley_*.deb
[[ -z $(find "$root/usr" "$root/opt" -name '*libswift*' -o -name 'swift*') ]] ||
    fail "there is something of Swift in the root"
version=$(sed -n 's/.* version = "\(.*\)"/\1/p' Sources/ParleyNode/Shell/NodeVersion.swift)
[[ $(in_root -- parley --version) == *"$version"* ]] || fail "parley --version"
[[ $(stat --format=%a "$root/var/lib/parley") == 700 ]] || fail "the rights of /var/lib/parley"
say "installed; $(in_root -- parley --version)"

in_root --net -- runuser --user parley -- bash -s <Tests/Packages/first-node.sh
