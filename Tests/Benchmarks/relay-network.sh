#!/usr/bin/env bash
#
# A network namespace for each relay of a benchmark, on one bridge. Relay I has the address
# 10.98.0.(I+1) and is reached from the machine and from the relays to which it has an edge; all
# others are refused at once. As root.
#
# usage: relay-network.sh up COUNT I-J...
#        relay-network.sh cut I
#        relay-network.sh down
set -Eeuo pipefail

readonly name=parleybench

down() {
    local namespace
    for namespace in $(ip netns list | sed -n "s/^\($name-[0-9]*\).*/\1/p"); do
        # A namespace ends some time after its name: its end of the link goes with this one.
        ip link delete "$namespace" 2>/dev/null || true
        ip netns delete "$namespace"
    done
    ip link delete "$name" 2>/dev/null || true
}

up() { # up COUNT EDGE...
    local index edge namespace
    local -A reached
    for edge in "${@:2}"; do
        reached[${edge%-*}]+=", 10.98.0.$((${edge#*-} + 1))"
        reached[${edge#*-}]+=", 10.98.0.$((${edge%-*} + 1))"
    done
    ip link add "$name" type bridge
    ip address add 10.98.0.254/24 dev "$name"
    ip link set "$name" up
    for ((index = 0; index < $1; index++)); do
        namespace=$name-$index
        ip netns add "$namespace"
        ip link add "$namespace" type veth peer name eth0 netns "$namespace"
        ip link set "$namespace" master "$name" up
        ip -n "$namespace" address add "10.98.0.$((index + 1))/24" dev eth0
        ip -n "$namespace" link set lo up
        ip -n "$namespace" link set eth0 up
        ip netns exec "$namespace" nft -f - <<RULES
table ip relays {
    chain input {
        type filter hook input priority 0
        ip saddr { 10.98.0.254${reached[$index]:-} } accept
        ip saddr 10.98.0.0/24 reject with tcp reset
    }
}
RULES
    done
}

case ${1:-} in
    up) down && up "${@:2}" ;;
    cut) ip link set "$name-$2" down ;;
    down) down ;;
    *) echo 'usage: relay-network.sh up COUNT I-J... | cut I | down' >&2 && exit 64 ;;
esac
