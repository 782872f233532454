#!/usr/bin/env bash
#
# Builds the tests and runs those of one suite, with their progress on the screen.
#
# usage: run.sh SUITE
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly SWIFT=${SWIFT:-swift}
read -ra options <Deploy/build-options
"$SWIFT" build "${options[@]}" --product parley
"$SWIFT" build "${options[@]}" --build-tests
bin=$("$SWIFT" build "${options[@]}" --show-bin-path)
exec "$bin/parleyPackageTests.xctest" --testing-library swift-testing --filter "$1"
