#!/usr/bin/env bash
#
# Two linked nodes with traffic: 1,000 reloads lose no link, and Debian's Prometheus reads their
# metrics and answers every query of the dashboard and of the alert rules.
#
# usage: watching.sh [EXECUTABLE]
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
parley=$(realpath "${1:-${PARLEY_TEST_EXECUTABLE:-.build/release/parley}}")

work=$(mktemp -d)
running=()
end() {
    ((${#running[@]} == 0)) || kill "${running[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap end EXIT
fail() {
    echo "watching.sh: $*" >&2
    tail -n 5 "$work"/*.log >&2
    exit 1
}
until_true() { # WHAT COMMAND... ; within a minute
    local end=$((SECONDS + 60))
    until "${@:2}" >/dev/null 2>&1; do
        ((SECONDS < end)) || fail "$1 did not come"
        sleep 0.1
    done
}

promtool check rules Deploy/prometheus/parley.rules.yaml
promtool test rules Tests/Packages/parley.rules.test.yaml

start_node() { # NAME OPTION... ; without a terminal, so that SIGHUP reloads
    printf 'log: {level: info}\n' >"$work/$1.yaml"
    setsid "$parley" node --data "$work/$1" --name "$1" --no-discovery --no-web \
        --config "$work/$1.yaml" --listen 127.0.0.1:0 --metrics 127.0.0.1:0 "${@:2}" \
        >"$work/$1.out" 2>"$work/$1.log" &
    running+=($!)
    until_true "the node $1" grep -q ' is ready' "$work/$1.out"
    until_true "the metrics of $1" grep -q 'metrics at ' "$work/$1.log"
}
metrics_of() { sed -n 's|.*metrics at http://\([^ ]*\).*|\1|p' "$work/$1.log" | head -n 1; }
value() { # NODE SERIES
    curl -fsS "http://$(metrics_of "$1")/metrics" | awk -v s="$2" '$1 == s { print $2 }'
}

start_node ada
start_node ben --peer "$(sed -n 's/.*listening on \([^ ,]*\).*/\1/p' "$work/ada.out" | head -n 1)"
ada=${running[0]}
"$parley" conversation create games --data "$work/ada" >/dev/null
"$parley" invite games --data "$work/ada" | grep -o 'parley:[^ ]*' |
    "$parley" join - --data "$work/ben" >/dev/null
linked() { [[ $(value ada parley_links) == 1 && $(value ben parley_links) == 1 ]]; }
until_true 'the link' linked
for node in ada ben; do
    curl -fsS "http://$(metrics_of "$node")/metrics" | promtool check metrics
done

# Traffic in both directions until the end.
talk() { # NODE
    local number=0
    while :; do
        "$parley" send -c games --url "?$1-$((number++))" --wait delivered=1 --data "$work/$1" \
            >/dev/null 2>>"$work/talk.log" || return 0
    done
}
talk ada &
running+=($!)
talk ben &
running+=($!)

# Prometheus, every second.
cat >"$work/prometheus.yaml" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: ["$PWD/Deploy/prometheus/parley.rules.yaml"]
scrape_configs:
  - job_name: parley
    static_configs: [{targets: ["$(metrics_of ada)", "$(metrics_of ben)"]}]
END
promtool check config "$work/prometheus.yaml" >/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
prometheus --config.file="$work/prometheus.yaml" --storage.tsdb.path="$work/series" \
    --web.listen-address="127.0.0.1:$port" >"$work/prometheus.log" 2>&1 &
running+=($!)
until_true 'Prometheus' curl -fsS "http://127.0.0.1:$port/-/ready"

# A process that gets a signal while one waits gets one for both, so each waits for its line.
reloads() { grep -c ' reloaded: \| nothing is reloaded' "$work/ada.log" || true; }
begin=$SECONDS
for number in {1..1000}; do
    ((number % 2)) && level=notice || level=info
    printf 'log: {level: %s}\nlimits: {links: %d}\n' "$level" $((60 + number % 2)) \
        >"$work/ada.yaml"
    kill -HUP "$ada"
    end=$((SECONDS + 10))
    until (($(reloads) >= number)); do
        ((SECONDS < end)) || fail "reload $number did not come"
        sleep 0.002
    done
done
grep -q 'these need a restart: limits.links' "$work/ada.log" || fail 'a restart is not asked for'
for node in ada ben; do
    closed=$(value "$node" parley_links_closed_total)
    [[ $closed == 0 ]] || fail "$closed links of $node were lost by reloads"
done
linked || fail 'the link is gone'
echo "1,000 reloads in $((SECONDS - begin)) s, and no link was lost"

Tests/Packages/watching.py "http://127.0.0.1:$port"
