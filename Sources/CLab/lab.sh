#!/usr/bin/env bash
#
# A LAN in a box: hosts on one switch, each with its own network, mount and UTS namespace, its own
# D-Bus system bus and its own avahi-daemon. Nothing is made in the machine's own network, so any
# number of labs run side by side, apart by PREFIX.
#
#   lab.sh [-p PREFIX] VERB [ARG...]        PREFIX: `lab` unless given
#
#   up N [tap]                 makes hosts 1..N, or mends and enlarges what is there; with `tap`
#                              the cable of each is left to a program: eth0 of the host and portK
#                              of the switch are TAP devices
#   down                       removes all that this PREFIX made
#   status                     one line per host; ends with 0 healthy, 1 not up, 2 damaged
#   exec K CMD [ARG...]        becomes CMD in host K: same directory, environment, pid, exit code
#   addr K [4|6]               its address; 6: link-local, without scope
#   partition K [drop|in|out|link]
#                              cuts K off: silently (both ways, or what goes in, or out) or by
#                              pulling the cable, which K sees
#   cut K J · join K J         breaks and mends the way between two hosts
#   block [K-J...]             nothing passes from K to J: these ways and, of those that an earlier
#                              block closed, no others
#   loss K PERCENT             loses frames of K, each way
#   rate K KBIT|off            slows K down, each way
#   iface K down|up            the interface of K, as its administrator would
#   heal K|all                 undoes partition, cut, block and loss; not rate
#   avahi K stop|start|restart|kill|hang|continue
#   dbus K reload              the bus reads its configuration again
#   dbus K stop|start|...      avahi-daemon ends with its bus; start it again with `avahi K start`
#   log K                      what avahi-daemon and the bus of K said

set -Eeuo pipefail
export LC_ALL=C
readonly PROG=${0##*/} ROOT=/run/parley-lab NET=10.77.0
PREFIX=lab

die() {
    printf '%s: %s\n' "$PROG" "$*" >&2
    exit 1
}

host() { printf '%s/host%s' "$LAB" "$1"; }  # its directory
space() { printf '%s-host%s' "$PREFIX" "$1"; } # its network namespace
switch() { ip netns exec "$PREFIX-switch" "$@"; }

hosts() { # prints 1..N
    local k=1
    while [[ -d $(host "$k") ]]; do
        printf '%s\n' "$k"
        k=$((k + 1))
    done
}

need_host() {
    [[ ${1-} =~ ^[1-9][0-9]?$ && -d $(host "$1") ]] || die "lab '$PREFIX' has no host '${1-}'"
}

wait_until() { # SECONDS CMD...
    local end=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.02
    done
}

# ------------------------------------------------------------------------- processes of a host

# The pid in hostK/NAME.pid, if that process still lives in the network namespace of the host: a
# number that the kernel gave to somebody else is never touched.
running() { # K NAME
    local pid file
    file=$(host "$1")/$2.pid
    [[ -s $file ]] && read -r pid <"$file" || return 1
    [[ $(stat -Lc %d:%i "/proc/$pid/ns/net" 2>/dev/null) == \
        $(stat -Lc %d:%i "/run/netns/$(space "$1")" 2>/dev/null) ]] || return 1
    [[ $(<"/proc/$pid/stat") != *') Z '* ]] 2>/dev/null || return 1
    printf '%s' "$pid"
}

stopped() { ! running "$1" "$2" >/dev/null; }

end() { # K NAME SIGNAL
    local pid
    if pid=$(running "$1" "$2"); then
        kill -s "$3" "$pid" 2>/dev/null || :
        wait_until 2 stopped "$1" "$2" || kill -s KILL "$pid" 2>/dev/null || :
        wait_until 2 stopped "$1" "$2" || die "process $pid ($2 of host $1) does not end"
    fi
    rm -f "$(host "$1")/$2.pid"
}

spawn() { # K NAME CMD... ; in the host, without our terminal and lock
    local k=$1 name=$2 holder
    shift 2
    holder=$(running "$k" holder) || die "host $k has lost its holder; mend it with: up"
    env -u DBUS_SYSTEM_BUS_ADDRESS setsid nsenter --target "$holder" --net --mount --uts -- "$@" \
        </dev/null >>"$(host "$k")/$name.log" 2>&1 9>&- &
    printf '%s\n' "$!" >"$(host "$k")/$name.pid"
    disown
}

start_bus() { # K
    running "$1" dbus >/dev/null && return
    local run
    run=$(host "$1")/run
    rm -f "$run/dbus/system_bus_socket"
    spawn "$1" dbus dbus-daemon --config-file=/run/bus.conf --nofork --nopidfile --nosyslog
    # Between its bind and its listen the socket is there and refuses connections.
    wait_until 10 bus_answers "$1" || die "the bus of host $1 did not start"
}

ask_bus() { # K ARGUMENTS-OF-DBUS-SEND...
    local address
    address=unix:path=$(host "$1")/run/dbus/system_bus_socket
    shift
    DBUS_SYSTEM_BUS_ADDRESS=$address dbus-send --system --print-reply=literal \
        --reply-timeout=1000 "$@" 2>/dev/null
}

bus_answers() { # K
    ask_bus "$1" --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId >/dev/null
}

start_avahi() { # K
    running "$1" avahi >/dev/null && return
    rm -f "$(host "$1")"/run/avahi-daemon/*
    spawn "$1" avahi avahi-daemon --file /run/avahi.conf --no-drop-root --no-chroot --no-rlimits \
        --no-proc-title
}

avahi_state() { # K ; 2 is running
    ask_bus "$1" --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState |
        awk '{print $2}'
}

# A daemon whose bus has gone may still be about to end, and then is not started yet.
is_ready() { # K
    start_avahi "$1"
    [[ $(avahi_state "$1") == 2 ]]
}

await_avahi() { # K
    wait_until 15 is_ready "$1" ||
        die "avahi-daemon of host $1 did not start: $(tail -n 2 "$(host "$1")/avahi.log")"
}

# ------------------------------------------------------------------------- making and removing

make_switch() {
    [[ -e /run/netns/$PREFIX-switch ]] || ip netns add "$PREFIX-switch"
    switch ip link show lan >/dev/null 2>&1 && return
    switch ip link add lan type bridge stp_state 0 forward_delay 0 mcast_snooping 0
    switch ip link set lan up
}

make_network() { # K veth|tap
    local k=$1 cable=$2 name
    name=$(space "$k")
    [[ -e /run/netns/$name ]] || ip netns add "$name"
    ip -n "$name" link show eth0 >/dev/null 2>&1 && return
    # Otherwise a link-local address stays unusable for a second or two.
    ip netns exec "$name" sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
    ip -n "$name" link set lo up
    local mac
    mac=$(printf '02:70:61:72:00:%02x' "$k")
    if [[ $cable == tap ]]; then
        ip -n "$name" tuntap add dev eth0 mode tap
        ip -n "$name" link set eth0 address "$mac"
        switch ip tuntap add dev "port$k" mode tap
    else
        ip -n "$name" link add eth0 address "$mac" type veth \
            peer name "port$k" netns "$PREFIX-switch"
    fi
    switch ip link set "port$k" master lan up
    ip -n "$name" addr add "$NET.$k/24" brd + dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" route replace 224.0.0.0/4 dev eth0
}

write_configuration() { # K
    local run
    run=$(host "$1")/run
    mkdir -p "$run/dbus" "$run/avahi-daemon" "$run/lock"
    # No service directories: nothing is ever started by activation.
    printf '%s\n' '<busconfig><type>system</type><auth>EXTERNAL</auth>' \
        '<listen>unix:path=/run/dbus/system_bus_socket</listen><policy context="default">' \
        '<allow user="*"/><allow own="*"/><allow send_type="method_call"/>' \
        '<allow send_type="signal"/><allow receive_type="method_call"/>' \
        '<allow send_requested_reply="true" send_type="method_return"/>' \
        '<allow send_requested_reply="true" send_type="error"/><allow receive_type="signal"/>' \
        '<allow receive_type="method_return"/><allow receive_type="error"/>' \
        '</policy></busconfig>' >"$run/bus.conf"
    printf '%s\n' '[server]' "host-name=host$1" use-ipv4=yes use-ipv6=yes allow-interfaces=eth0 \
        '[wide-area]' enable-wide-area=no '[publish]' publish-hinfo=no publish-workstation=no \
        >"$run/avahi.conf"
}

# The holder keeps the mount and UTS namespaces. Its /run is private, so that the bus and
# avahi-daemon find their fixed places there.
make_holder() { # K
    local d
    d=$(host "$1")
    running "$1" holder >/dev/null && return
    rm -f "$d/run/ready"
    # shellcheck disable=SC2016 # The inner shell expands.
    setsid nsenter --net="/run/netns/$(space "$1")" unshare --mount --uts sh -euc '
        echo "$1" >/proc/sys/kernel/hostname
        mount --bind "$2" /run
        mount -t tmpfs tmpfs /dev/shm
        mount -t sysfs -o ro sysfs /sys 2>/dev/null || :
        [ ! -d /etc/avahi/services ] || mount -t tmpfs tmpfs /etc/avahi/services
        : >/run/ready
        exec sleep infinity' holder "host$1" "$d/run" </dev/null >"$d/holder.log" 2>&1 9>&- &
    printf '%s\n' "$!" >"$d/holder.pid"
    disown
    wait_until 5 test -e "$d/run/ready" || die "host $1 did not start: $(<"$d/holder.log")"
}

up() { # N [tap]
    local n=${1-} k program
    [[ $n =~ ^[1-9][0-9]?$ ]] || die "up: a number of hosts, 1 to 99"
    [[ ${2:-tap} == tap ]] || die "up: tap or nothing after the number"
    for program in ip tc nft nsenter unshare setsid dbus-daemon dbus-send avahi-daemon; do
        command -v "$program" >/dev/null || die "missing program: $program"
    done
    # A lab that is not finished is removed; one that was there before is kept for `up` to mend.
    if [[ ! -d $LAB ]]; then
        trap '(($? == 0)) || down' EXIT
        trap 'exit 1' INT TERM HUP
    fi
    mkdir -p "$LAB/cuts"
    make_switch
    for ((k = 1; k <= n; k++)); do
        mkdir -p "$(host "$k")"
        write_configuration "$k"
        make_network "$k" "${2:-veth}"
        make_holder "$k"
        start_bus "$k"
        start_avahi "$k"
    done
    apply_faults
    for ((k = 1; k <= n; k++)); do await_avahi "$k"; done
}

spaces() {
    local file
    for file in /run/netns/"$PREFIX"-host[0-9]* /run/netns/"$PREFIX"-switch; do
        [[ ! -e $file ]] || printf '%s\n' "${file##*/}"
    done
}

pids() { for name in $(spaces); do ip netns pids "$name"; done; }
deserted() { [[ -z $(pids | while read -r pid; do
    [[ $(cat "/proc/$pid/stat" 2>/dev/null) == *') '[!Z]' '* ]] && echo "$pid"; done) ]]; }

down() {
    local name
    pids | xargs -r kill -s TERM 2>/dev/null || :
    wait_until 1 deserted || pids | xargs -r kill -s KILL 2>/dev/null || :
    wait_until 2 deserted || :
    for name in $(spaces); do ip netns del "$name"; done
    rm -rf "$LAB" "$ROOT/.$PREFIX.lock"
    rmdir "$ROOT" 2>/dev/null || :
}

# ------------------------------------------------------------------------- faults

# All rules follow from the files `cut`, `loss` and `cuts/`, and are loaded at once.
apply_faults() {
    local k pair a b loss cut
    {
        printf 'add table bridge lab\ndelete table bridge lab\ntable bridge lab {\n'
        printf 'chain faults { type filter hook forward priority 0; policy accept;\n'
        for k in $(hosts); do
            cut=$(cat "$(host "$k")/cut" 2>/dev/null || :)
            [[ $cut != drop && $cut != in ]] || printf 'oifname "port%s" drop\n' "$k"
            [[ $cut != drop && $cut != out ]] || printf 'iifname "port%s" drop\n' "$k"
            loss=$(cat "$(host "$k")/loss" 2>/dev/null || echo 0)
            for a in iifname oifname; do
                ((loss == 0)) ||
                    printf '%s "port%s" numgen random mod 10000 < %s drop\n' "$a" "$k" "$loss"
            done
        done
        for pair in $(cat "$LAB/blocks" 2>/dev/null || :); do
            printf 'iifname "port%s" oifname "port%s" drop\n' "${pair%-*}" "${pair#*-}"
        done
        for pair in "$LAB"/cuts/*-*; do
            [[ -e $pair ]] || continue
            pair=${pair##*/} a=${pair%-*} b=${pair#*-}
            printf 'iifname "port%s" oifname "port%s" drop\n' "$a" "$b" "$b" "$a"
        done
        printf '}\n}\n'
    } >"$LAB/faults.nft"
    switch nft -f "$LAB/faults.nft"
}

partition() { # K [MODE]
    need_host "${1-}"
    case ${2:-drop} in
        link) switch ip link set "port$1" down ;;
        drop | in | out) printf '%s' "${2:-drop}" >"$(host "$1")/cut" && apply_faults ;;
        *) die "partition: drop, in, out or link" ;;
    esac
}

heal() { # K|all
    local k
    [[ ${1-} == all ]] || need_host "${1-}"
    for k in $(if [[ $1 == all ]]; then hosts; else echo "$1"; fi); do
        rm -f "$(host "$k")"/{cut,loss} "$LAB/cuts/$k"-* "$LAB"/cuts/*-"$k"
        [[ ! -e $LAB/blocks ]] || sed -i "/^$k-/d; /-$k\$/d" "$LAB/blocks"
        switch ip link set "port$k" up
    done
    apply_faults
}

cut_or_join() { # cut|join K J
    need_host "${2-}"
    need_host "${3-}"
    (($2 != $3)) || die "$1: two different hosts"
    local pair=$LAB/cuts/$(($2 < $3 ? $2 : $3))-$(($2 < $3 ? $3 : $2))
    if [[ $1 == cut ]]; then : >"$pair"; else rm -f "$pair"; fi
    apply_faults
}

block() { # [K-J...]
    local way
    for way in "$@"; do
        [[ $way =~ ^[0-9]+-[0-9]+$ ]] || die "block: ways of the form K-J"
        need_host "${way%-*}"
        need_host "${way#*-}"
    done
    (($# == 0)) || printf '%s\n' "$@" >"$LAB/blocks"
    (($# > 0)) || rm -f "$LAB/blocks"
    apply_faults
}

loss() { # K PERCENT
    need_host "${1-}"
    [[ ${2-} =~ ^([0-9]{1,3})(\.([0-9]{1,2}))?$ ]] || die "loss: 0 to 100, two decimals"
    local hundredths=${BASH_REMATCH[3]}00
    hundredths=$((10#${BASH_REMATCH[1]} * 100 + 10#${hundredths:0:2}))
    ((hundredths <= 10000)) || die "loss: at most 100"
    printf '%s' "$hundredths" >"$(host "$1")/loss"
    apply_faults
}

rate() { # K KBIT|off
    need_host "${1-}"
    if [[ ${2-} == off ]]; then
        ip netns exec "$(space "$1")" tc qdisc del dev eth0 root 2>/dev/null || :
        switch tc qdisc del dev "port$1" root 2>/dev/null || :
        return
    fi
    [[ ${2-} =~ ^[1-9][0-9]{0,6}$ ]] || die "rate: kbit/s, or off"
    # The bytes of 10 ms, but two full frames at least.
    local -a shape=(root tbf rate "${2}kbit" latency 300ms burst
        "$(($2 * 5 / 4 > 3200 ? $2 * 5 / 4 : 3200))")
    ip netns exec "$(space "$1")" tc qdisc replace dev eth0 "${shape[@]}"
    switch tc qdisc replace dev "port$1" "${shape[@]}"
}

iface() { # K down|up
    need_host "${1-}"
    [[ ${2-} == down || ${2-} == up ]] || die "iface: down or up"
    ip -n "$(space "$1")" link set eth0 "$2"
    [[ $2 == down ]] || ip -n "$(space "$1")" route replace 224.0.0.0/4 dev eth0
}

# ------------------------------------------------------------------------- the other verbs

daemon() { # avahi|dbus K VERB
    need_host "${2-}"
    case $1-${3-} in
        *-stop) end "$2" "$1" TERM ;;
        *-kill) end "$2" "$1" KILL ;;
        *-hang) kill -s STOP "$(running "$2" "$1")" ;;
        *-continue) kill -s CONT "$(running "$2" "$1")" ;;
        *-restart) daemon "$1" "$2" stop && daemon "$1" "$2" start ;;
        dbus-start) start_bus "$2" ;;
        dbus-reload)
            ask_bus "$2" --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig >/dev/null
            ;;
        avahi-start) start_avahi "$2" && await_avahi "$2" ;;
        *) die "$1: stop, start, restart, kill, hang or continue" ;;
    esac
}

addr() { # K [4|6]
    need_host "${1-}"
    ip -n "$(space "$1")" "-${2:-4}" -o addr show dev eth0 |
        awk 'NR == 1 {sub("/.*", "", $4); print $4}'
}

status() {
    local k name code=0 line
    [[ -d $LAB ]] || { printf "lab '%s' is not up\n" "$PREFIX" && exit 1; }
    for k in $(hosts); do
        line="host$k $(addr "$k" 4) $(addr "$k" 6)"
        for name in holder dbus avahi; do
            line+=" $name=$(running "$k" "$name")" || { line+=DEAD && code=2; }
        done
        [[ ! -s $(host "$k")/cut ]] || line+=" partition=$(<"$(host "$k")/cut")"
        [[ ! -s $(host "$k")/loss ]] || line+=" loss=$(<"$(host "$k")/loss")/10000"
        switch ip link show "port$k" | grep -q '[<,]UP[,>]' || line+=' cable=out'
        printf '%s\n' "$line"
    done
    find "$LAB/cuts" -type f -printf 'cut %f\n'
    sed 's/^/blocked /' "$LAB/blocks" 2>/dev/null || :
    exit "$code"
}

enter() { # K CMD...
    need_host "${1-}"
    local holder
    holder=$(running "$1" holder) || die "host $1 has lost its holder; mend it with: up"
    shift
    (($#)) || die "exec: K CMD [ARG...]"
    # exec calls only, so that the pid stays.
    # shellcheck disable=SC2016 # The inner shell expands.
    exec env -u DBUS_SYSTEM_BUS_ADDRESS nsenter --target "$holder" --net --mount --uts -- \
        sh -c 'cd "$0" 2>/dev/null || cd /; exec "$@"' "$PWD" "$@"
}

if [[ ${1-} == -p ]]; then
    PREFIX=${2-}
    shift 2 || die "-p PREFIX"
fi
[[ $PREFIX =~ ^[a-z][a-z0-9]{0,11}$ ]] || die "PREFIX: a small letter, up to 11 letters or digits"
readonly LAB=$ROOT/$PREFIX verb=${1:-help}
shift || :
[[ $verb != help ]] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" && exit 0; }
((EUID == 0)) || die "the lab needs root (network namespaces)"

case $verb in
    status | addr) "$verb" "$@" ;;
    exec) enter "$@" ;;
    log) need_host "${1-}" && tail -n +1 "$(host "$1")"/{avahi,dbus}.log ;;
    up | down | partition | heal | block | loss | rate | iface | avahi | dbus | cut | join)
        # One at a time per lab; `down` removes the file, and a lock on a removed file is none.
        while :; do
            mkdir -p "$ROOT"
            { exec 9>"$ROOT/.$PREFIX.lock"; } 2>/dev/null || continue
            flock -w 60 9 || die "lab '$PREFIX' is busy"
            [[ ! /dev/fd/9 -ef $ROOT/.$PREFIX.lock ]] || break
        done
        case $verb in
            cut | join) cut_or_join "$verb" "$@" ;;
            avahi | dbus) daemon "$verb" "$@" ;;
            *) "$verb" "$@" ;;
        esac
        ;;
    *) die "unknown verb '$verb'; see: $PROG help" ;;
esac
