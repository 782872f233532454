#!/usr/bin/env bash
#
# A D-Bus system bus and an avahi-daemon of one's own, on the loopback interface only, for a machine
# that has none: `make run`, `make test`, a container without systemd.
#
#   private-avahi.sh start DIR [--always] [--owner PID]
#       Prints DBUS_SYSTEM_BUS_ADDRESS=..., which programs that use Avahi need in their environment.
#       Uses the machine's avahi-daemon if one runs, unless --always is given. Starts what DIR
#       lacks and replaces what does not answer, so a second start mends. With --owner everything
#       ends when that process has ended.
#   private-avahi.sh stop DIR
#   private-avahi.sh run [--always] CMD [ARG...]
#       Becomes CMD, with daemons that end after it has ended.
#
# Needs root. Any number can run at a time: avahi-daemon's fixed /run/avahi-daemon, and with it the
# loopback interface, is private to each, by namespaces. Where those are forbidden (a container
# without CAP_SYS_ADMIN), one can run, and it shares the loopback interface of the machine.

set -Eeuo pipefail
export LC_ALL=C
readonly PROG=${0##*/}
readonly SYSTEM_BUS=unix:path=/run/dbus/system_bus_socket

die() {
    printf '%s: %s\n' "$PROG" "$*" >&2
    exit 1
}

usage() {
    die "usage: start DIR [--always] [--owner PID] | stop DIR | run [--always] CMD [ARG...]"
}

wait_until() { # SECONDS CMD...
    local end=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

# When process PID began, in ticks since boot; fails if it has ended.
birth() { # PID
    local line
    { line=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
    read -ra line <<<"${line##*) }"
    [[ ${line[0]} != Z ]] && printf '%s' "${line[19]}"
}

# The pid in DIR/NAME.pid, if that process lives: not another one of the same number.
running() { # NAME
    local pid began
    [[ -s $DIR/$1.pid ]] && read -r pid began <"$DIR/$1.pid" || return 1
    [[ -n $began && $(birth "$pid") == "$began" ]] && printf '%s' "$pid"
}

stopped() { ! running "$1" >/dev/null; }

end() { # NAME
    local pid
    if pid=$(running "$1"); then
        kill -TERM "$pid" 2>/dev/null || :
        if ! wait_until 2 stopped "$1"; then
            kill -KILL "$pid" 2>/dev/null || :
            wait_until 2 stopped "$1" || :
        fi
    fi
    rm -f "$DIR/$1.pid"
}

ask_bus() { # ADDRESS ARGUMENTS-OF-DBUS-SEND...
    local address=$1
    shift
    # dbus-send waits for the greeting of the bus without a limit, and a bus that hangs sends none.
    DBUS_SYSTEM_BUS_ADDRESS=$address timeout 5 dbus-send --system --print-reply=literal \
        --reply-timeout=2000 "$@" 2>/dev/null
}

# Asks without starting anything by activation.
has_avahi() { # ADDRESS
    ask_bus "$1" --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
        string:org.freedesktop.Avahi | grep -q true
}

bus_answers() {
    ask_bus "unix:path=$DIR/bus" --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId \
        >/dev/null
}

avahi_answers() {
    ask_bus "unix:path=$DIR/bus" --dest=org.freedesktop.Avahi / \
        org.freedesktop.Avahi.Server.GetState | grep -q 'int32 2'
}

bus_answers_or_stopped() { bus_answers || stopped bus; }

avahi_answers_or_stopped() { avahi_answers || stopped avahi; }

write_configuration() {
    cat >"$DIR/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$DIR/bus</listen>
  <auth>EXTERNAL</auth>
  <!-- DIR is closed to others. No service directories: nothing is started by activation. -->
  <policy context="default">
    <allow user="*"/> <allow own="*"/>
    <allow send_type="method_call"/> <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/> <allow receive_type="signal"/>
    <allow receive_type="method_return"/> <allow receive_type="error"/>
  </policy>
</busconfig>
CONF
    # IPv4 only: on the loopback interface avahi-daemon browses nothing else.
    cat >"$DIR/avahi.conf" <<CONF
[server]
host-name=parley-$$
use-ipv4=yes
use-ipv6=no
allow-interfaces=lo
disallow-other-stacks=no
enable-dbus=yes
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
CONF
}

# Puts the daemon into namespaces of its own, where that is allowed.
choose_isolation() {
    ISOLATE=()
    if command -v ip >/dev/null && unshare --mount --net true 2>/dev/null; then
        ISOLATE=(unshare --mount --net)
    elif [[ -e /run/avahi-daemon/pid ]] && kill -0 "$(</run/avahi-daemon/pid)" 2>/dev/null; then
        die "another avahi-daemon runs, and this container forbids the namespaces for a second"
    fi
}

# Starts CMD without a terminal and with none of our descriptors; its pid goes to DIR/NAME.pid.
detached() { # NAME CMD...
    local name=$1 fd
    shift
    (
        for fd in /proc/self/fd/*; do
            fd=${fd##*/}
            ((fd <= 2 || fd == 255)) || eval "exec $fd>&-"
        done
        exec setsid "$@"
    ) </dev/null >>"$DIR/$name.log" 2>&1 &
    printf '%s %s\n' "$!" "$(birth "$!")" >"$DIR/$name.pid"
    disown
}

# A bus that was killed closes its socket before its process has ended, and one that hangs does not
# end at all, so what counts is the answer.
start_bus() {
    if wait_until 5 bus_answers_or_stopped && running bus >/dev/null; then return; fi
    # avahi-daemon ends with its bus, a little later.
    end avahi
    end bus
    rm -f "$DIR/bus"
    detached bus dbus-daemon --config-file="$DIR/bus.conf" --nofork --nopidfile --nosyslog
    # Between its bind and its listen the socket is there and refuses connections.
    wait_until 5 bus_answers || die "dbus-daemon did not start: $(tail -n 2 "$DIR/bus.log")"
}

start_avahi() {
    # avahi-daemon may be about to end, or still be busy with its start.
    if wait_until 10 avahi_answers_or_stopped && running avahi >/dev/null; then return; fi
    end avahi
    choose_isolation
    local -a daemon=(avahi-daemon --file "$DIR/avahi.conf" --no-drop-root --no-chroot
        --no-rlimits --no-proc-title)
    # shellcheck disable=SC2016 # The inner shell expands.
    local inside='ip link set lo up
        mkdir -p /run/avahi-daemon
        mount -t tmpfs tmpfs /run/avahi-daemon
        [ ! -d /etc/avahi/services ] || mount -t tmpfs tmpfs /etc/avahi/services
        exec "$@"'
    ((!${#ISOLATE[@]})) || daemon=("${ISOLATE[@]}" sh -ec "$inside" "$DIR" "${daemon[@]}")
    # A chain of exec calls, so the pid is that of the daemon.
    detached avahi env DBUS_SYSTEM_BUS_ADDRESS="unix:path=$DIR/bus" "${daemon[@]}"
    if ! wait_until 10 avahi_answers_or_stopped || stopped avahi; then
        die "avahi-daemon did not start: $(tail -n 3 "$DIR/avahi.log" | tr '\n' ' ')"
    fi
}

# Ends the daemons when process $1 has ended.
watch_owner() {
    running watch >/dev/null && return
    # shellcheck disable=SC2016 # The inner shell expands.
    detached watch sh -c 'while grep -qs "^State:.[^ZX]" "/proc/$1/status"; do sleep 0.5; done
        exec "$2" stop "$3"' "$DIR" "$1" "$(realpath "$0")" "$DIR"
}

start() {
    local always=0 owner='' program
    DIR=${1-}
    [[ -n $DIR ]] || usage
    shift
    while (($#)); do
        case $1 in
            --always) always=1 ;;
            --owner)
                owner=${2-}
                [[ $owner =~ ^[0-9]+$ ]] || usage
                shift
                ;;
            *) usage ;;
        esac
        shift
    done
    for program in dbus-daemon dbus-send avahi-daemon unshare setsid; do
        command -v "$program" >/dev/null ||
            die "$program is missing; install the packages dbus, avahi-daemon and util-linux"
    done
    local machine=${DBUS_SYSTEM_BUS_ADDRESS:-$SYSTEM_BUS}
    if ((!always)) && has_avahi "$machine"; then
        rmdir "$DIR" 2>/dev/null || :
        printf 'DBUS_SYSTEM_BUS_ADDRESS=%s\n' "$machine"
        return
    fi
    ((EUID == 0)) || die "a private avahi-daemon needs root; or: systemctl start avahi-daemon"
    [[ -d $DIR ]] || { mkdir -p "$DIR" && chmod 700 "$DIR"; }
    [[ -O $DIR && ! -L $DIR ]] || die "$DIR is a link, or belongs to another user"
    DIR=$(realpath "$DIR")
    # Nothing half-made stays.
    trap '(($? == 0)) || stop "$DIR"' EXIT
    trap 'exit 1' INT TERM HUP
    ((${#DIR} <= 90)) || die "the path of DIR is too long for a socket: $DIR"
    [[ -s $DIR/avahi.conf ]] || write_configuration
    start_bus
    start_avahi
    [[ -z $owner ]] || watch_owner "$owner"
    printf 'DBUS_SYSTEM_BUS_ADDRESS=unix:path=%s\n' "$DIR/bus"
}

stop() {
    [[ -n ${1-} ]] || usage
    [[ -d $1 ]] || return 0
    DIR=$(realpath "$1")
    end avahi
    end bus
    rm -f "$DIR"/{bus,bus.conf,bus.log,avahi.conf,avahi.log,watch.log}
    # Last, since it may be the watcher that stops.
    local watcher
    watcher=$(running watch) && [[ $watcher != "$$" ]] && kill "$watcher" 2>/dev/null
    rm -f "$DIR/watch.pid"
    rmdir "$DIR" 2>/dev/null || :
}

run() {
    local -a always=()
    [[ ${1-} != --always ]] || { always=(--always) && shift; }
    (($#)) || usage
    local address
    address=$(start "$(mktemp -d /tmp/parley-avahi.XXXXXX)" --owner "$$" "${always[@]}")
    exec env "$address" "$@"
}

case ${1-} in
    start | stop | run) "$@" ;;
    *) usage ;;
esac
