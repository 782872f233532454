#!/usr/bin/env bash
#
# Runs CMD where an avahi-daemon can be reached: the machine's own if it answers, else a private bus
# and daemon that are stopped when CMD has ended, however that came about. This process becomes CMD,
# so signals reach it and its exit code is the one that the caller sees.
#
# usage: with-avahi.sh [--if-possible] CMD [ARG...]
#        --if-possible: run CMD all the same if there is no right to start a daemon
# exit:  that of CMD · 64 usage · 77 a private daemon needs root · 1 it could not be started
set -Eeuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here

say() { printf 'with-avahi: %s\n' "$*" >&2; }

# Asking also starts a daemon that the machine keeps for demand.
daemon_answers() {
    timeout 10 dbus-send --system --print-reply=literal --reply-timeout=3000 \
        --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState >/dev/null 2>&1
}

needed=yes
if [[ ${1:-} == --if-possible ]]; then
    needed=no
    shift
fi
if (($# == 0)); then
    say "usage: with-avahi.sh [--if-possible] CMD [ARG...]"
    exit 64
fi

if daemon_answers; then
    exec "$@"
elif ((EUID == 0)); then
    exec "$here/private-avahi.sh" run "$@"
elif [[ $needed == no ]]; then
    say "no avahi-daemon answers, and only root can start a private one: going on without"
    exec "$@"
else
    say "no avahi-daemon answers, and only root can start a private one. Start the machine's:" \
        "sudo systemctl start avahi-daemon"
    exit 77
fi
