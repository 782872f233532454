#!/usr/bin/env bash
#
# The archive for other distributions, unpacked by hand in a system that has only the libraries that
# its README names.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 300 "$@"

archive=$(echo "$BUILT"/new/parley-*.tar.xz)
root=$(mktemp -d "$BUILT/root.XXXXXX")
unpack_root bare
# What the package would pull in, without the package.
mapfile -t libraries < <(dpkg-deb --field "$(echo "$BUILT"/new/parley_*.deb)" Depends |
    tr ',' '\n' | sed 's/ *(.*//; s/^ *//' | grep -v '^adduser$')
install_in_root "${libraries[@]}"
tar --extract --file "$archive" --strip-components=1 --directory "$root/root"
in_root -- ldconfig -p >"$root/root/libraries"
while read -r name; do
    grep -qF "$name" "$root/root/libraries" || fail "the README names $name, which is not here"
done < <(sed -n 's/^- \(lib.*\)/\1/p' "$root/root/README.md")
# The README's own lines, also as an upgrade of a node whose configuration was edited.
lines=$(sed -n 's/\bsudo \(cp -rf\? .*\)/\1/p' "$root/root/README.md")
in_root -- bash -ec "cd /root; $lines"
echo 'name: edited' >"$root/etc/parley/parley.yaml"
# The executable runs meanwhile, so that it cannot be written to.
in_root -- bash -ec "cd /root
    /usr/local/bin/parley node --data /tmp/node --no-discovery </dev/null &
    sleep 1
    $lines
    kill \$!"
grep -qx 'name: edited' "$root/etc/parley/parley.yaml" || fail "an upgrade replaced a configuration"
[[ $(in_root -- /usr/local/bin/parley --version) == parley* ]] ||
    say "version: $(in_root -- /usr/local/bin/parley --version)"
! in_root -- grep -rn '/usr/\(bin\|libexec\)/parley' /usr/local/lib /usr/local/share ||
    fail "a path in the archive leads to /usr"
in_root -- useradd --system --home-dir /var/lib/parley --shell /usr/sbin/nologin parley
in_root --net -- env PATH=/usr/local/bin:/usr/sbin:/usr/bin runuser --user parley -- \
    env PATH=/usr/local/bin:/usr/bin:/bin bash -s <Tests/Packages/first-node.sh
say "$(stat --format=%s "$archive" | awk '{ printf "%.1f MB", $1 / 1e6 }'): ${archive##*/}"
