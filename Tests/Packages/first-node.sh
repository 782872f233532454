#!/usr/bin/env bash
#
# Run in a bare root by bare.sh and dist.sh: the first minutes with a node.
set -Eeuo pipefail

export PARLEY_DATA=/tmp/first-node
log=/tmp/first-node.log
parley node --name Ada >"$log" 2>&1 &
node=$!
for ((try = 0; try < 300; try++)); do
    ! grep -q ' is ready' "$log" || break
    sleep 0.1
done
if ! grep ' is ready' "$log"; then
    cat "$log" >&2
    exit 1
fi
parley conversation create games
parley send -c games --url '?move=e4' --caption 'Your move'
parley transcript -c games | grep 'Your move'
parley page | grep http://127.0.0.1:8275/
parley status >/dev/null
kill -TERM "$node"
wait "$node"
echo "the node has stopped with $?"
rm -rf "$PARLEY_DATA" "$log"
