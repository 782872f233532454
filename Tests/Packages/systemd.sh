#!/usr/bin/env bash
#
# The relay under a real systemd, which is the first process of namespaces of its own: its unit is
# started with the whole sandbox, without and with avahi-daemon; two nodes that reach only the relay
# send messages through it while it is upgraded; its network goes and comes back; it comes back from
# crashes, as does the node of a person; it is removed and purged.
#
# usage: systemd.sh
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 600 "$@"

# Becomes systemd in a root that has nothing of this machine: device nodes are new, as a getty on a
# bound one would change the rights of the machine's.
# shellcheck disable=SC2016 # The inner shell expands.
readonly boot='set -Eeuo pipefail
cd "$1"
mount --bind . .
cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=0755 tmpfs run
mount -t tmpfs -o mode=0755 tmpfs dev
mkdir dev/pts dev/shm run/old
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
for node in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0" "console 5 1"; do
    read -r name major minor <<<"$node"
    mknod -m 0666 "dev/$name" c "$major" "$minor"
done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
chmod 1777 dev/shm
ip link set lo up
pivot_root . run/old
exec chroot . /bin/bash -c "umount --lazy /run/old && rmdir /run/old &&
    exec env -i container=lab /lib/systemd/systemd --system --log-target=journal" \
    </dev/null >/dev/null 2>&1'

# Fails as long as there are processes in it.
remove_group() { # FOLDER
    find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
}

start_systemd() {
    local group unit unshare_pid
    for unit in console-getty.service getty.target; do
        ln -sf /dev/null "$root/etc/systemd/system/$unit"
    done
    # Whoever has started this has a cgroup that systemd may not own.
    group=$(findmnt --noheadings --first-only --types cgroup2 --output TARGET)/parley-$$-$RANDOM
    mkdir "$group"
    at_end wait_until 10 remove_group "$group"
    (
        echo 0 >"$group/cgroup.procs"
        exec unshare --mount --pid --cgroup --uts --ipc --net --fork --kill-child \
            bash -c "$boot" - "$root"
    ) &
    unshare_pid=$!
    at_end eval "kill -KILL $unshare_pid 2>/dev/null; wait $unshare_pid 2>/dev/null"
    wait_until 10 pgrep --parent "$unshare_pid" >/dev/null
    first=$(pgrep --parent "$unshare_pid")
    is_running() { [[ $(inside systemctl is-system-running 2>/dev/null) == running ]]; }
    wait_until 60 is_running || {
        inside systemctl --no-pager --failed || true
        fail "systemd is not running"
    }
}

inside() { # CMD...
    nsenter --target "$first" --mount --pid --uts --ipc --net --cgroup --root --wd \
        env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"
}

# In the network of the relay, with the programs of this machine.
network() { nsenter --target "$first" --net ip "$@"; }

# The service manager of the machine, and that of somebody there.
system() { inside systemctl "$@"; }

user() { inside runuser --user eve -- env XDG_RUNTIME_DIR=/run/user/1000 systemctl --user "$@"; }

relay() { inside runuser --user parley -- parley "$@" --data /var/lib/parley; }

property() { inside systemctl show --property "$1" --value parley; }

restarts() { "$1" show --property NRestarts --value parley; }

# Writes what differs from the unit of a relay, or of a node of a person.
drop_in() { # system|user LINE...
    inside mkdir -p "/etc/systemd/$1/parley.service.d"
    printf '%s\n' '[Service]' "${@:2}" |
        inside tee "/etc/systemd/$1/parley.service.d/test.conf" >/dev/null
    "$1" daemon-reload
}

links() { [[ $(relay status | sed -n 's/^Links *//p') == "$1" ]]; }

is_active() { [[ $(property ActiveState) == active ]]; }

is_active_anew() { is_active && [[ $(property MainPID) != "$main" ]]; }

is_undisturbed() { is_active && ! is_active_anew; }

discovery() { relay status | grep '^Discovery'; }

is_announced() { discovery | grep -q published; }

is_unannounced() { ! is_announced; }

has_network_of_its_own() { # PID
    [[ $(readlink "/proc/$1/ns/net") != "$(readlink /proc/self/ns/net)" ]]
}

# Puts the relay into the network of a host, or back into it.
connect() { # LETTER NUMBER
    network link add "to-$1" type veth peer name uplink netns "${holders[$1]}"
    network address add "10.91.$2.1/24" dev "to-$1"
    network link set "to-$1" up
    nsenter --target "${holders[$1]}" --net ip address add "10.91.$2.2/24" dev uplink
    nsenter --target "${holders[$1]}" --net ip link set uplink up
}

# A network with one host and the relay. `holders` names a process in it.
make_network() { # LETTER NUMBER
    unshare --net sleep infinity &
    holders[$1]=$!
    at_end kill "$!"
    wait_until 5 has_network_of_its_own "$!" || fail "no network for $1"
    nsenter --target "$!" --net ip link set lo up
    connect "$@"
}

node() { # LETTER ARGUMENTS...
    nsenter --target "${holders[$1]}" --net "$program" "${@:2}" --data "$work/$1"
}

start_node() { # LETTER NUMBER
    nsenter --target "${holders[$1]}" --net "$program" node --name "$1" --data "$work/$1" \
        --no-discovery --no-web --peer "10.91.$2.1:27275" >"$work/$1.log" 2>&1 &
    at_end kill "$!"
    wait_until 30 grep -q ' is ready' "$work/$1.log" || fail "$(cat "$work/$1.log")"
}

# Sends one message after the other until there is a file `enough`; all were acknowledged.
send_messages() { # LETTER
    local number=0
    until [[ -e $work/enough ]]; do
        number=$((number + 1))
        node "$1" send -c games --url "?$1=$number" --caption "$1 $number" >/dev/null
        echo "$1 $number" >>"$work/sent"
    done
}

# Whether a node shows every message that was sent.
has_all() { # LETTER
    node "$1" transcript -c games --all --json | grep -oE '"caption":"(ada|ben) [0-9]+"' |
        cut -d '"' -f 4 | sort -u >"$work/shown"
    sort -u "$work/sent" | comm -23 - "$work/shown" >"$work/lacking"
    [[ ! -s $work/lacking ]]
}

both_have_all() { has_all ada && has_all ben; }

work=$(mktemp -d)
at_end rm -rf "$work"
chmod 0755 "$work"
dpkg-deb --extract "$(echo "$BUILT"/new/parley_*.deb)" "$work/host"
program=$work/host/usr/bin/parley
declare -A holders

root=$(mktemp -d "$BUILT/root.XXXXXX")
unpack_root systemd
install_in_root "$BUILT"/old/parley_*.deb
cp "$BUILT"/new/parley_*.deb "$root/root/"
start_systemd
inside systemd-analyze verify /lib/systemd/system/parley.service
inside env XDG_RUNTIME_DIR=/run systemd-analyze --user verify /usr/lib/systemd/user/parley.service
[[ $(property ActiveState) == inactive ]] || fail "a relay runs that nobody has asked for"
say "systemd runs, and the units are right; nothing has been started"

# Stopped only, it would be started by the bus as soon as somebody asks for it.
inside systemctl --quiet --runtime --now mask avahi-daemon.socket avahi-daemon.service
inside systemctl enable --now --quiet parley
is_active || fail "not active"
inside systemctl --no-pager status parley | sed -n 3p
[[ $(inside stat --format='%U %a' /var/lib/parley) == 'parley 700' ]] || fail "the data directory"
device=$(relay status --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["device"])')
inside systemd-analyze security --no-pager --threshold=13 parley >/dev/null || fail "exposure"
say "started without avahi-daemon: $(discovery)"
main=$(property MainPID)
inside systemctl --quiet --runtime unmask avahi-daemon.socket avahi-daemon.service
inside systemctl start avahi-daemon
wait_until 30 is_announced || fail "not announced: $(discovery)"
say "with avahi-daemon: $(discovery)"
inside systemctl --quiet --runtime --now mask avahi-daemon.socket avahi-daemon.service
wait_until 30 is_unannounced || fail "still announced: $(discovery)"
is_undisturbed || fail "ended or started again with avahi-daemon"
say "without it again: $(discovery)"
inside systemctl --quiet --runtime unmask avahi-daemon.socket avahi-daemon.service
inside systemctl start avahi-daemon

make_network ada 1
make_network ben 2
start_node ada 1
start_node ben 2
node ada conversation create games >/dev/null
node ada invite games --role relay | sed -n 1p | relay join - >/dev/null
node ada invite games | sed -n 1p | node ben join - >/dev/null

# The upgrade begins when messages flow, and they flow for a while after it.
sent_more_than() { (($(wc -l <"$work/sent") > $1)); }
touch "$work/sent"
send_messages ada &
senders=("$!")
send_messages ben &
senders+=("$!")
wait_until 30 sent_more_than 20 || fail "no messages were sent"
before=$(wc -l <"$work/sent")
inside dpkg --install "/root/$(basename "$BUILT"/new/parley_*.deb)" >"$work/dpkg" 2>&1 ||
    fail "$(cat "$work/dpkg")"
after=$(wc -l <"$work/sent")
wait_until 60 sent_more_than $((after + 20)) || fail "no messages were sent after the upgrade"
touch "$work/enough"
wait "${senders[@]}"
is_active || fail "not active after the upgrade"
[[ $(property MainPID) != "$main" ]] || fail "the upgrade has not restarted the relay"
[[ $(relay status --json) == *"$device"* ]] || fail "the relay is another device"
wait_until 60 both_have_all || fail "lost: $(head -n 5 "$work/lacking")"
say "upgraded while $((after - before)) of $(wc -l <"$work/sent") messages were sent: all are shown"

: >"$work/sent"
rm "$work/enough"
inside systemctl restart parley
send_messages ada &
senders=("$!")
wait_until 30 sent_more_than 10 || fail "no messages were sent after the restart"
touch "$work/enough"
wait "${senders[@]}"
wait_until 60 both_have_all || fail "lost after the restart: $(head -n 5 "$work/lacking")"

# One network is switched off, and the other one is taken out of the machine.
main=$(property MainPID)
wait_until 30 links 2 || fail "not both are linked"
network link set to-ada down
network link delete to-ben
wait_until 60 links 0 || fail "links without a network"
is_undisturbed || fail "ended or started again without a network"
network link set to-ada up
connect ben 2
wait_until 90 links 2 || fail "no links after the network came back"
node ada send -c games --url '?ada=0' --caption 'ada 0' >/dev/null
node ben send -c games --url '?ben=0' --caption 'ben 0' >/dev/null
printf '%s\n' 'ada 0' 'ben 0' >>"$work/sent"
wait_until 30 both_have_all || fail "lost with the network: $(head -n 5 "$work/lacking")"
is_undisturbed || fail "ended or started again when the network came back"
say "its network went and came back: both are linked again, and all is shown"

# The configuration is read again by the same process, and one that stands still is replaced.
main=$(property MainPID)
logs() { inside journalctl --no-pager --unit parley | grep -q "$1"; }
inside sed -i 's/^  # level: info$/  level: debug/' /etc/parley/parley.yaml
inside systemctl reload parley || fail "the reload has failed"
wait_until 10 logs 'reloaded: log.level' || fail "nothing was reloaded"
echo 'nonsense: 1' | inside tee --append /etc/parley/parley.yaml >/dev/null
! inside systemctl reload parley 2>/dev/null || fail "a wrong file was reloaded without a word"
inside sed -i "\$d" /etc/parley/parley.yaml
[[ $(property MainPID) == "$main" ]] || fail "the reload has started another process"
say "reloaded by the same process; status: $(property StatusText)"
drop_in system WatchdogSec=2s
inside systemctl restart parley
sleep 5
main=$(property MainPID)
[[ $(restarts system) == 0 ]] || fail "a relay that runs was taken for one that stands still"
inside systemctl kill --signal=SIGSTOP parley
wait_until 20 is_active_anew || fail "a relay that stands still was left alone"
drop_in system
inside systemctl restart parley
say "replaced by the watchdog when it stood still"

# One crash costs nothing; from the second one on there are pauses. A person's node is the same, on
# another port.
inside useradd --create-home --uid 1000 eve
mkdir -p "$root/etc/systemd/system/user@.service.d"
# Without libpam-systemd nobody else says it.
printf '[Service]\nEnvironment=XDG_RUNTIME_DIR=/run/user/%%i\n' \
    >"$root/etc/systemd/system/user@.service.d/runtime.conf"
inside systemctl daemon-reload
inside systemctl start user@1000
readonly elsewhere='Environment=PARLEY_LISTEN=127.0.0.1:0'
drop_in user "$elsewhere"
user start parley || fail "no node of a person"
for manager in system user; do
    "$manager" kill --signal=SIGKILL parley
    is_back() { [[ $(restarts "$manager") == 1 ]] && "$manager" --quiet is-active parley; }
    wait_until 10 is_back || fail "not back: $manager"
done
say "back after SIGKILL, a person's node as well"
readonly broken=(ExecStart= 'ExecStart=/usr/bin/parley node --no-such-option')
drop_in system "${broken[@]}"
drop_in user "$elsewhere" "${broken[@]}"
system restart parley || true
user restart parley || true
sleep 10
for manager in system user; do
    tries=$(restarts "$manager")
    ((tries >= 3 && tries <= 6)) || fail "$tries restarts in 10 s of what cannot start: $manager"
done
drop_in system
drop_in user "$elsewhere"
for manager in system user; do
    "$manager" stop parley
    start=$SECONDS
    "$manager" start parley
    ((SECONDS - start < 5)) || fail "a start by hand has to wait: $manager"
done
is_active || fail "not active when it is mended"
user stop parley
say "$tries restarts in 10 s of what cannot start, and none to wait for when it is mended"

! inside journalctl --no-pager | grep -E 'status=31/SYS|SECCOMP' || fail "a forbidden system call"

inside dpkg --remove parley >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
! is_active || fail "the relay runs without its package"
[[ -s $root/var/lib/parley/parley.sqlite ]] || fail "the data went with the package"
inside dpkg --purge parley >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
[[ ! -e $root/var/lib/parley && ! -e $root/etc/parley ]] || fail "purging leaves something"
say "removed with its data kept, and purged"
