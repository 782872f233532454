#!/usr/bin/env bash
#
# Makes the systems in which packages are tested, as archives in .build/package-tests: bare.tar, the
# least that has apt, and systemd.tar, with systemd, a bus and avahi-daemon. What is younger than a
# week stays.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 900 "$@"

make_root() { # NAME OPTION...
    local archive=$BUILT/$1.tar
    [[ -z $(find "$archive" -mtime -7 2>/dev/null) ]] || return 0
    say "making $1.tar"
    # The lists of packages stay, for `apt-get install` in it.
    TMPDIR=$space mmdebstrap --quiet --mode=root --variant=apt --skip=cleanup/apt/lists \
        --dpkgopt=force-unsafe-io "${@:2}" bookworm "$space/root.tar"
    mv "$space/root.tar" "$archive"
}

mkdir -p "$BUILT"
# In memory, where nobody waits for a disk.
space=$(mktemp -d "$BUILT/space.XXXXXX")
at_end rmdir "$space"
mount -t tmpfs -o size=3g tmpfs "$space"
at_end umount --lazy "$space"
make_root bare
make_root systemd --include=systemd,systemd-sysv,dbus,avahi-daemon,man-db
