#!/usr/bin/env bash
#
# Debian's own test of a package: installed and purged, installed as an earlier version, upgraded and
# purged, and nothing is left behind.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 900 "$@"

work=$(mktemp -d)
at_end rm -rf "$work"
# The earlier version comes from an archive of its own, as it would from Debian's.
mkdir "$work/archive"
cp "$BUILT"/old/parley_*.deb "$work/archive/"
(cd "$work/archive" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)

mkdir "$work/space"
mount -t tmpfs -o size=3g tmpfs "$work/space"
at_end umount --lazy "$work/space"
gzip -1 <"$BUILT/bare.tar" >"$work/space/root.tar.gz"
mirror=$(tar --extract --to-stdout --file "$BUILT/bare.tar" ./etc/apt/sources.list |
    awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }')
if ! piuparts --basetgz="$work/space/root.tar.gz" --distribution=bookworm --mirror="$mirror main" \
    --extra-repo="deb [trusted=yes] copy:$work/archive ./" --bindmount="$work/archive" \
    --tmpdir="$work/space" --skip-cronfiles-test --no-eatmydata --warn-on-others \
    "$BUILT"/new/parley_*.deb >"$work/log" 2>&1; then
    tail -n 60 "$work/log" >&2
    fail "piuparts"
fi
for words in 'Installation, upgrade and purging tests' '0\.0\.1'; do
    grep -q "$words" "$work/log" && continue
    tail -n 60 "$work/log" >&2
    fail "piuparts has not upgraded from the earlier version"
done
say "$(tail -n 1 "$work/log")"
