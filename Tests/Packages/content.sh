#!/usr/bin/env bash
#
# What is in the package: lintian finds no error, the same executable gives the same bytes, it is
# small enough, its units are closed, and its manual pages, completions and entries can be read.
set -Eeuo pipefail
# shellcheck source=/dev/null
source "$(dirname "$0")/common.sh"
with_deadline 600 "$@"

readonly MIB_MOST=30
readonly EXPOSURE_MOST=1.3

deb=$(echo "$BUILT"/new/parley_*.deb)
changes=$(echo "$BUILT"/new/parley_*.changes)
work=$(mktemp -d)
at_end rm -rf "$work"

lintian --fail-on error "$changes" || fail "lintian"
bytes=$(stat --format=%s "$deb")
((bytes <= MIB_MOST << 20)) || fail "the package has $bytes bytes, at most $MIB_MOST MiB"
say "$((bytes >> 10)) KiB; no error of lintian"

dpkg-deb --extract "$deb" "$work/root"
[[ -z $(find "$work/root" -name 'libswift*') ]] || fail "a library of Swift is in the package"
depends=$(dpkg-deb --field "$deb" Depends)
[[ $depends == *libavahi-client3* && $depends == *libssl3* ]] || fail "depends on: $depends"

# Twice from one executable, at another time and in another folder.
executable=${PARLEY_TEST_EXECUTABLE:-$(Deploy/package.sh)}
version=$(dpkg-deb --field "$deb" Version)
Deploy/package.sh deb dist --executable "$executable" --version "${version#*:}" \
    --output "$work/again" >/dev/null 2>&1
for file in "$work"/again/*.{deb,tar.xz}; do
    cmp "$file" "$BUILT/new/${file##*/}" || fail "packed again, ${file##*/} has other bytes"
done
say "packed twice, the package and the archive have the same bytes"

unit=$work/root/lib/systemd/system/parley.service
systemd-analyze security --no-pager --offline=true "--threshold=${EXPOSURE_MOST/./}" "$unit" \
    >"$work/security" || fail "exposure: $(tail -n 1 "$work/security")"
say "$(sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/exposure \1/p' "$work/security")"

desktop-file-validate "$work/root/usr/share/applications/parley.desktop"
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' \
    "$work/root/usr/lib/firewalld/services/parley.xml"

# The desktop entry gives the link to the browser in a file that nobody else can read.
mkdir "$work/bin"
printf '#!/bin/bash\necho "http://127.0.0.1:8275/?a&b"\n' >"$work/bin/parley"
# shellcheck disable=SC2016 # The script expands.
printf '#!/bin/bash\nstat --format=%%a "$1"; cat "$1"\n' >"$work/bin/xdg-open"
ln -s /bin/true "$work/bin/sleep"
chmod +x "$work/bin"/*
opened=$(PATH=$work/bin:$PATH XDG_RUNTIME_DIR=$work "$work/root/usr/libexec/parley/open-page")
[[ $opened == 600*'url=http://127.0.0.1:8275/?a&amp;b"'* ]] || fail "open-page: $opened"

pages=0
for page in "$work"/root/usr/share/man/man?/*.gz; do
    warnings=$(man --warnings --encoding=UTF-8 --local-file --troff-device=utf8 "$page" 2>&1 \
        >/dev/null)
    [[ -z $warnings ]] || fail "${page##*/}: $warnings"
    pages=$((pages + 1))
done
commands=$("$executable" --experimental-dump-help | python3 -c 'import json, sys
print(sum(c["commandName"] != "help" for c in json.load(sys.stdin)["command"]["subcommands"]))')
((pages == commands + 2)) || fail "$pages manual pages, and $commands commands"
read_page() { MANWIDTH=10000 man --local-file "$work/root/usr/share/man/$1.gz"; }
read_page man1/parley.1 >"$work/page"
while read -r code; do
    grep -q "^ *$code  " "$work/page" || fail "parley(1) does not explain the exit code $code"
done < <(sed -n 's/^    case .* = \([0-9]*\)$/\1/p' Sources/ParleyCommand/Process/ExitStatus.swift)
read_page man5/parley.yaml.5 >"$work/page"
while read -r key _; do
    grep -q "^ *$key (PARLEY_" "$work/page" || fail "parley.yaml(5) does not have the key $key"
done < <(env --ignore-environment "$executable" config show | tail -n +2)
say "$pages manual pages without a warning"

share=$work/root/usr/share
bash -n "$share/bash-completion/completions/parley"
offered=$(bash -c 'source "$1"; COMP_WORDS=(parley transc) COMP_CWORD=1 COMP_LINE="parley transc"
    COMP_POINT=13; _parley parley transc parley; echo "${COMPREPLY[*]}"' - \
    "$share/bash-completion/completions/parley")
[[ $offered == *transcript* ]] || fail "bash completes 'transc' to '$offered'"
shells=bash
if command -v zsh >/dev/null; then
    zsh -n "$share/zsh/vendor-completions/_parley"
    shells+=', zsh'
fi
if command -v fish >/dev/null; then
    fish --no-execute "$share/fish/vendor_completions.d/parley.fish"
    shells+=', fish'
fi
say "the completions can be read by $shells"
