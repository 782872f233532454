#!/usr/bin/env bash
#
# The example for machines without systemd, once by runit and once as a plain script: the relay
# starts as its user, is ready, comes back when it is killed, and stops.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 300 "$@"

# shellcheck disable=SC2034 # common.sh uses it.
root=$(mktemp -d "$BUILT/root.XXXXXX")
unpack_root bare
install_in_root "$BUILT"/new/parley_*.deb runit
in_root --net -- bash -s <<'END'
set -Eeuo pipefail
ready() { parley status --data /var/lib/parley >/dev/null 2>&1; }
eventually() { # CMD...
    for ((try = 0; try < 300; try++)); do
        ! "$@" || return 0
        sleep 0.1
    done
    echo "not within 30 s: $*" >&2
    return 1
}
stopped() { ! ready; }

/usr/share/doc/parley/examples/runit/run >/tmp/log &
relay=$!
eventually ready
[[ $(stat --format=%U "/proc/$relay") == parley ]]
grep -q '^CapBnd:\s*0*$' "/proc/$relay/status"
grep -q '^NoNewPrivs:\s*1$' "/proc/$relay/status"
kill -TERM "$relay"
wait "$relay"
echo 'as a plain script: ready, and stopped by SIGTERM'

mkdir -p /etc/sv/parley /etc/service
cp /usr/share/doc/parley/examples/runit/run /etc/sv/parley/
ln -s /etc/sv/parley /etc/service/
runsvdir /etc/service >/tmp/log 2>&1 &
eventually ready
first=$(</etc/service/parley/supervise/pid)
kill -KILL "$first"
another() { ready && [[ $(</etc/service/parley/supervise/pid) != "$first" ]]; }
eventually another
sed -i 's/^  # level: info$/  level: debug/' /etc/parley/parley.yaml
sv hup parley
eventually grep -q 'reloaded: log.level' /tmp/log
sv -w 20 stop parley
stopped
echo 'under runit: ready, started again after SIGKILL, reloaded, and stopped'
END
