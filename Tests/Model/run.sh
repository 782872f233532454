#!/usr/bin/env bash
#
# Checks the model of docs/model with TLC: all states within the bounds of Mesh.cfg, then each wrong
# variant, which TLC has to reject. Ends with a table, and fails if anything is not as it should be.
#
# usage: run.sh [states | wrong [NAME...]]
#
# Needs Java and .build/python. Everything is written in .build/model.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly model=$PWD/docs/model
readonly scratch=$PWD/.build/model
readonly WORKERS=${WORKERS:-$(nproc)}
table=()
failed=0

tlc() { # tlc NAME MODULE OPTION... ; the configuration is $scratch/NAME.cfg, the output $scratch/NAME.log
    (cd "$scratch" && exec java -XX:+UseParallelGC -Xmx"${MEMORY:-6g}" -Xss64m -cp "$jar" tlc2.TLC \
        -cleanup -metadir "$scratch/states" -workers "$WORKERS" -config "$scratch/$1.cfg" \
        "${@:3}" "$2" >"$scratch/$1.log" 2>&1)
}

figure() { sed -n "s/$2/\1/p" "$scratch/$1.log" | tail -n 1; }

note() { # note ROW... ; a row of the table, which is also progress
    local row
    row=$(printf '%-26s %-32s %-36s %s' "$@")
    table+=("$row")
    echo "$row"
}

# The configuration of a wrong variant, with one promise alone.
configure() { # configure RULE PLACES MESSAGES FAULTS COPIES PROMISE NAME
    local places=(1 2 3) kind=INVARIANT
    [[ $6 != Nothing* || $6 == NothingComesBack || $6 == NothingIsForged ]] || kind=PROPERTY
    printf '%s\n' "SPECIFICATION Spec" "CONSTANTS" "$1 <- $7" \
        "Places = {$(IFS=,; echo "${places[*]:0:$2}")}" "Sessions = {1, 2}" \
        "WritesMax = $3" "FaultsMax = $4" "CopiesMax = $5"
    [[ $6 == Deadlock ]] || printf '%s\n' "$kind $6"
}

# Each configuration: the bounds, and that no promise is broken.
check_states() {
    local config name start verdict
    for config in "$model"/Mesh*.cfg; do
        name=$(basename "$config" .cfg)
        cp "$config" "$scratch/$name.cfg"
        start=$SECONDS
        verdict="no promise is broken"
        tlc "$name" Mesh || { verdict="FAILS: see $scratch/$name.log"; failed=1; }
        note "$name" "$((SECONDS - start)) s" \
            "$(figure "$name" '.* \([0-9,]*\) distinct states found, 0 states.*') states, depth $(
                figure "$name" 'The depth of the complete state graph search is \([0-9]*\)\.')" \
            "$verdict"
    done
}

# What TLC found broken: a promise, or that nothing can be done any more.
broken() { # broken NAME
    if grep -q 'Error: Deadlock reached' "$scratch/$1.log"; then
        echo Deadlock
    else
        sed -n -E 's/^Error: (Invariant|Action property) ([A-Za-z]*) is violated.*/\2/p' \
            "$scratch/$1.log"
    fi
}

check_wrong() { # check_wrong [NAME...]
    local rule places writes faults copies promise name found
    while read -r rule places writes faults copies promise name; do
        (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
        configure "$rule" "$places" "$writes" "$faults" "$copies" "$promise" "$name" \
            >"$scratch/$name.cfg"
        if [[ $promise == Deadlock ]]; then tlc "$name" Wrong; else tlc "$name" Wrong -deadlock; fi ||
            true
        found=$(broken "$name")
        if [[ $found == "$promise" ]]; then
            note "$name" "instead of $rule" "breaks $promise" "rejected"
        else
            note "$name" "instead of $rule" "should break $promise" "FAILS: ${found:-is accepted}"
            failed=1
        fi
    done < <(sed -n -e '/^\\\* [A-Z]/ { N; s/^\\\* \(.*\)\n\([A-Za-z]*\).*/\1 \2/p }' \
        "$model/Wrong.tla")
}

jar=$(find "$PWD/.build/python" -name tla2tools.jar -print -quit 2>/dev/null || true)
[[ -n ${TLA_JAR:=$jar} ]] || { echo "model: there is no tla2tools.jar in .build/python" >&2; exit 69; }
jar=$TLA_JAR
mkdir -p "$scratch"
cp "$model"/*.tla "$scratch"
case ${1:-all} in
    states) check_states ;;
    wrong) check_wrong "${@:2}" ;;
    all)
        check_states
        check_wrong
        ;;
esac
((failed == 0)) || echo "model: something is not as it should be" >&2
exit "$failed"
