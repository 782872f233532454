#!/usr/bin/env bash
#
# The firewalls of Debian in a network of their own: `parley doctor` finds what iptables, ufw and
# firewalld drop, and after its cure nothing.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 300 "$@"

# shellcheck disable=SC2034 # common.sh uses it.
root=$(mktemp -d "$BUILT/root.XXXXXX")
unpack_root bare
install_in_root "$BUILT"/new/parley_*.deb nftables iptables ufw firewalld dbus
in_root --net -- bash -s <<'END'
set -Eeuo pipefail
# The state and the cure of the check, in two lines; no node has to run.
firewall() {
    parley doctor --json --data /nowhere | python3 -c '
import json, sys
[found] = [each for each in json.load(sys.stdin)["findings"] if each["check"] == "firewall"]
print(found["state"], found.get("cure", ""), sep="\n")'
}
cured() { # NAME
    local found
    mapfile -t found < <(firewall)
    [[ ${found[0]} == critical ]] || {
        echo "$1: ${found[0]}" >&2
        return 1
    }
    bash -ec "${found[1]//sudo /}" >/dev/null
    [[ $(firewall | head -n 1) == ok ]] || {
        echo "$1: not cured by ${found[1]}" >&2
        return 1
    }
    echo "$1: found, and cured by ${found[1]}"
}

iptables -A INPUT -p tcp --dport 27275 -j DROP
iptables -A INPUT -p udp --dport 5353 -j REJECT
cured iptables
iptables -F
nft flush ruleset

ufw --force enable >/dev/null
cured ufw
ufw --force disable >/dev/null
nft flush ruleset

# The bus that came with the package ended with its installation, and left its file.
mkdir -p /run/dbus
rm -f /run/dbus/pid
dbus-daemon --system --fork
firewalld --nofork --nopid >/tmp/log 2>&1 &
for ((try = 0; try < 300; try++)); do
    ! firewall-cmd --quiet --state || break
    sleep 0.1
done
cured firewalld
END
