#!/usr/bin/env bash
#
# Checks the model of docs/model with TLC: all states within the bounds of each Mesh*.cfg and
# Generations*.cfg; each wrong variant, which TLC has to reject; traces of the simulator, which it has
# to accept, and those of mutants, which it has to reject. Fails if anything is not as it should be.
#
# usage: run.sh                    all of it, with 10,000 traces
#        run.sh states [NAME...]   the states of these configurations; Wide and WideGenerations,
#                                  which take long, are run only if they are named
#        run.sh wrong [NAME...]    these wrong variants
#        run.sh traces [COUNT]     so many traces
#
# Needs Java, Swift and .build/python. Everything is written in .build/model.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly SWIFT=${SWIFT:-swift}
readonly project=$PWD
readonly model=$PWD/docs/model
readonly scratch=$PWD/.build/model
readonly WORKERS=${WORKERS:-$(nproc)}
table=()
failed=0

tlc() { # tlc NAME MODULE OPTION... ; the configuration is $scratch/NAME.cfg, the output $scratch/NAME.log
    (cd "$scratch" && exec java -XX:+UseParallelGC -Xmx"${MEMORY:-6g}" -Xss256m -cp "$jar" tlc2.TLC \
        -cleanup -metadir "$scratch/states" -workers "$WORKERS" -config "$scratch/$1.cfg" \
        "${@:3}" "$2" >"$scratch/$1.log" 2>&1)
}

figure() { sed -n "s/$2/\1/p" "$scratch/$1.log" | tail -n 1; }

note() { # note ROW... ; a row of the table, which is also progress
    local row
    row=$(printf '%-32s %-32s %-30s %s' "$@")
    table+=("$row")
    echo "$row"
}

# The configuration of a wrong variant, with one promise alone. The bounds are those of the line
# above the variant: places, messages, faults, copies; or writers, relays, records, envelopes.
configure() { # configure MODULE RULE BOUND BOUND BOUND BOUND PROMISE NAME
    local nodes=(1 2 3 4 5) kind=INVARIANT
    [[ $7 != Nothing* || $7 == NothingComesBack || $7 == NothingIsForged ]] || kind=PROPERTY
    printf '%s\n' "SPECIFICATION Spec" "CONSTANTS" "$2 <- $8"
    if [[ $1 == Wrong ]]; then
        printf '%s\n' "Places = {$(IFS=,; echo "${nodes[*]:0:$3}")}" "Sessions = {1, 2}" \
            "WritesMax = $4" "FaultsMax = $5" "CopiesMax = $6"
    else
        printf '%s\n' "Writers = {$(IFS=,; echo "${nodes[*]:0:$3}")}" \
            "Relays = {$(IFS=,; echo "${nodes[*]:$3:$4}")}" "Rogues = {2}" \
            "RecordsMax = $5" "WritesMax = $6" "Lengths = {3}"
    fi
    [[ $7 == Deadlock ]] || printf '%s\n' "$kind $7"
}

# All states within the bounds of each configuration, in which no promise is broken.
check_states() { # check_states [NAME...]
    local name names=("$@") module start verdict
    (($#)) || mapfile -t names < <(
        cd "$model" && printf '%s\n' Mesh*.cfg Generations*.cfg | sed 's/\.cfg$//'
    )
    for name in "${names[@]}"; do
        cp "$model/$name.cfg" "$scratch"
        start=$SECONDS
        verdict="no promise is broken"
        module=Mesh
        [[ $name != *Generations* ]] || module=Generations
        tlc "$name" "$module" || {
            verdict="FAILS: see $scratch/$name.log"
            failed=1
        }
        note "$name" "$((SECONDS - start)) s" \
            "$(figure "$name" '.* \([0-9,]*\) distinct states found, 0 states.*') states" "$verdict"
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

# The wrong variants of a module, as configure takes them.
variants() { # variants MODULE
    sed -n -e '/^\\\* [A-Z]/ { N; s/^\\\* \(.*\)\n\([A-Za-z]*\).*/'"$1"' \1 \2/p }' "$model/$1.tla"
}

check_wrong() { # check_wrong [NAME...]
    local variant module rule promise name found
    while read -ra variant; do
        read -r module rule _ _ _ _ promise name <<<"${variant[*]}"
        (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
        configure "${variant[@]}" >"$scratch/$name.cfg"
        if [[ $promise == Deadlock ]]; then
            tlc "$name" "$module" || true
        else
            tlc "$name" "$module" -deadlock || true
        fi
        found=$(broken "$name")
        if [[ $found == "$promise" ]]; then
            note "$name" "instead of $rule" "breaks $promise" "rejected"
        else
            note "$name" "instead of $rule" "should break $promise" "FAILS: ${found:-is accepted}"
            failed=1
        fi
    done < <(variants Wrong; variants WrongGenerations)
}

# The program that writes traces: the core and the simulator as they are.
build_traces() {
    local package=$scratch/package
    mkdir -p "$package/Sources"
    cp Tests/Model/Package.swift "$package"
    ln -sfn "$project/Sources/ParleyCore" "$package/Sources/ParleyCore"
    ln -sfn "$project/Sources/ParleyFaults" "$package/Sources/ParleyFaults"
    ln -sfn "$project/Tests/Model/Traces" "$package/Sources/traces"
    "$SWIFT" build --package-path "$package" --scratch-path "$scratch/build" -c release \
        --disable-index-store -debug-info-format none --product traces >"$scratch/build.log" 2>&1 ||
        { cat "$scratch/build.log" >&2; return 1; }
}

# The trace and the step that the model does not allow; nothing if it allows all.
refused() { # refused NAME
    grep -q 'Error: Deadlock reached' "$scratch/$1.log" || return 0
    printf 'trace %s, step %s' "$(figure "$1" '^\/\\ t = \([0-9]*\)$')" \
        "$(figure "$1" '^\/\\ i = \([0-9]*\)$')"
}

# Replays traces of seeds, a thousand with each start of TLC.
check_traces() { # check_traces COUNT
    local first count name refusal
    build_traces
    for ((first = 0; first < $1; first += 1000)); do
        count=$(($1 - first < 1000 ? $1 - first : 1000))
        name=Replay$first
        replay "$name" "$first" "$count"
        refusal=$(refused "$name")
        if [[ -n $refusal ]]; then
            note "seeds from $first on" "$count traces" "$refusal" "FAILS: see $scratch/$name.log"
            failed=1
        else
            note "seeds from $first on" "$count traces" \
                "$(figure "$name" '.* \([0-9,]*\) distinct states found, 0 states.*') steps" "accepted"
        fi
    done
    # Nodes with a fault, of which the model has to notice one within a few traces.
    for name in acknowledgesBeforeCommit sendsBeforeCommit storesFirstHeadOnly; do
        replay "$name" 0 40 "$name"
        refusal=$(refused "$name")
        if [[ -n $refusal ]]; then
            note "mutant $name" "40 traces" "$refusal" "rejected"
        else
            note "mutant $name" "40 traces" "" "FAILS: is accepted"
            failed=1
        fi
    done
}

replay() { # replay NAME FIRST COUNT [MUTANT]
    "$scratch/build/release/traces" "${@:2}" >"$scratch/Traces.tla"
    cp "$model/Replay.cfg" "$scratch/$1.cfg"
    tlc "$1" Replay || grep -q 'Error: Deadlock reached' "$scratch/$1.log" ||
        { tail -n 20 "$scratch/$1.log" >&2; exit 1; }
}

jar=${TLA_JAR:-$(find "$PWD/.build/python" -name tla2tools.jar -print -quit 2>/dev/null || true)}
readonly jar
if [[ -z $jar ]]; then
    echo "model: there is no tla2tools.jar in .build/python; make model installs it" >&2
    exit 69
fi
mkdir -p "$scratch"
cp "$model"/*.tla "$scratch"
case ${1:-} in
    states) check_states "${@:2}" ;;
    wrong) check_wrong "${@:2}" ;;
    traces) check_traces "${2:-10000}" ;;
    '')
        check_states
        check_wrong
        check_traces 10000
        echo
        printf '%s\n' "${table[@]}"
        ;;
    *)
        echo "usage: run.sh [states [NAME...] | wrong [NAME...] | traces [COUNT]]" >&2
        exit 64
        ;;
esac
((failed == 0)) || echo "model: something is not as it should be" >&2
exit "$failed"
