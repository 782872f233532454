#!/usr/bin/env bash
#
# Builds the packages and tests them: what is in them, how they install on a machine without Swift,
# upgrade and leave, and what systemd makes of the relay. As root.
#
# usage: run.sh [NAME...]      for example: run.sh systemd; all of them without a name
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

((EUID == 0)) || {
    echo 'run.sh: the tests of packages need root, for namespaces and device nodes' >&2
    exit 77
}
tests=("$@")
((${#tests[@]})) || tests=(content bare dist runit firewalls piuparts systemd watching)

built=.build/package-tests
mkdir -p "$built"
executable=$(Deploy/package.sh)
export PARLEY_TEST_EXECUTABLE=$executable
rm -rf "$built"/{new,old}
Deploy/package.sh deb dist --executable "$executable" --output "$built/new"
# An earlier version, which differs by its number only, and is packed fast.
mkdir "$built/old"
dpkg-deb --raw-extract "$built"/new/parley_*.deb "$built/old/tree"
sed -i 's/^Version: \(.*:\)\?.*/Version: \10.0.1/' "$built/old/tree/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$built/old/tree" "$built/old" >/dev/null
rm -rf "$built/old/tree"
Tests/Packages/roots.sh

failed=()
for name in "${tests[@]}"; do
    "Tests/Packages/$name.sh" || failed+=("$name")
done
if ((${#failed[@]})); then
    echo "FAILED after $SECONDS s: ${failed[*]}"
    exit 1
fi
echo "The tests of packages passed in $SECONDS s: ${tests[*]}"
