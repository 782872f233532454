#!/usr/bin/env bash
#
# Fails if the subject of a commit has more than 72 characters: of each commit that origin/main
# lacks, or of HEAD alone in a clone without that branch, as a shallow one may be. Without a
# repository, as in an unpacked archive, there is nothing to check.
#
# usage: check-subjects.sh
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly longest=72
# Characters are counted, not bytes.
export LC_ALL=C.UTF-8

if ! git rev-parse --quiet --verify 'HEAD^{commit}' >/dev/null 2>&1; then
    echo 'lint: there is no commit here, so no subject was checked'
    exit
fi
range=(--max-count=1 HEAD)
if git rev-parse --quiet --verify refs/remotes/origin/main >/dev/null; then
    range=(--no-merges refs/remotes/origin/main..HEAD)
fi

subjects=$(git log --format='%h %s' "${range[@]}")
failures=0
while read -r commit subject; do
    (( ${#subject} <= longest )) && continue
    echo "$commit: the subject has ${#subject} characters, at most $longest: $subject" >&2
    failures=$((failures + 1))
done <<<"$subjects"
(( failures == 0 ))
