#!/usr/bin/env bash
#
# Builds the executable with the Swift library in it, and packs it with its units, manual pages and
# completions. The paths of what was made are printed last, one a line.
#
# usage: package.sh [deb] [dist] [--version VERSION] [--executable FILE] [--output FOLDER]
#        deb: parley_VERSION_ARCH.deb with its .changes, for Debian 12
#        dist: parley-VERSION-linux-MACHINE.tar.xz, for other distributions
#        --version: in place of the version of the source and the commit
#        --executable: packs this one, which an earlier call has built, and compiles nothing
#        --output: in place of .build/packages
#        Without deb and dist it builds only, and prints the path of the executable.
# exit:  0 done · 64 usage · 69 a program is missing · 70 the source lacks something · else that of
#        what failed
#
# All dates in what is packed are that of the commit, or of SOURCE_DATE_EPOCH, so that the same
# executable gives the same bytes.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

readonly SWIFT=${SWIFT:-swift}
readonly scratch=.build/static
# Debian has another program of the name, a trainer for vocabulary, whose versions begin with `4:`.
# apt would take that one for an upgrade of ours.
readonly epoch=9

say() { printf 'package: %s\n' "$*" >&2; }
fail() { # CODE MESSAGE...
    say "${@:2}"
    exit "$1"
}

need() { # PROGRAM...
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || fail 69 "$program is missing." \
            "On Debian: Deploy/install-dependencies.sh --packages"
    done
}

build() {
    local options
    read -ra options <Deploy/build-options
    # Names of files that are compiled into it do not depend on the folder of the build.
    options+=(-Xcc "-ffile-prefix-map=$PWD=." -Xswiftc -file-prefix-map -Xswiftc "$PWD=.")
    options+=(--static-swift-stdlib --scratch-path "$scratch" --product parley)
    "$SWIFT" build "${options[@]}" >&2
    executable=$("$SWIFT" build "${options[@]}" --show-bin-path)/parley
}

set_date() {
    [[ -z ${SOURCE_DATE_EPOCH:-} ]] || return 0
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date --reference=CHANGELOG.md +%s)
    export SOURCE_DATE_EPOCH
}

# The version of the source; for a commit after it, with the time and the name of that commit, so
# that each package is newer than those of earlier commits.
source_version() {
    local number commit
    number=$(sed -n 's/.* version = "\(.*\)"/\1/p' Sources/ParleyNode/Shell/NodeVersion.swift)
    [[ -n $number ]] || fail 70 "Sources/ParleyNode/Shell/NodeVersion.swift has no version"
    if [[ $(grep -m 1 '^## ' CHANGELOG.md) == '## Unreleased' ]]; then
        number+=+$(date --date="@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)
        if commit=$(git rev-parse --short=8 HEAD 2>/dev/null); then
            number+=.$commit
            [[ -z $(git status --porcelain --untracked-files=no) ]] || number+=.modified
        fi
    fi
    printf '%s\n' "$number"
}

# The people who maintain the project, as SECURITY.md says: those of the latest commits.
maintainer() {
    git log -1 --format='%an <%ae>' 2>/dev/null || printf 'Parley <parley@localhost>\n'
}

# The notices of the packages that are linked, as their licenses ask for. A package that the list of
# copyrights does not name is an error.
notices() {
    local folder name
    for folder in "$scratch"/checkouts/*/; do
        name=$(basename "$folder")
        grep -qw -- "$name" Deploy/debian/copyright ||
            fail 70 "Deploy/debian/copyright does not name the package $name"
        [[ -f $folder/NOTICE.txt ]] || continue
        printf '==== %s ====\n\n' "$name"
        cat "$folder/NOTICE.txt"
        printf '\n'
    done
}

# What the program brings along, below a prefix: /usr in the package, /usr/local elsewhere.
arrange() { # ROOT PREFIX FOLDER-OF-ZSH
    local root=$1 share=$1$2/share libexec=$1$2/libexec/parley
    local doc=$share/doc/parley
    mkdir -p "$share/man" "$libexec" "$doc/examples/runit" "$share"/{applications,"zsh/$3"} \
        "$share"/{bash-completion/completions,fish/vendor_completions.d}
    install -m 0755 -D "$packed" "$root$2/bin/parley"
    install -m 0755 -t "$libexec" Deploy/files/back-off Deploy/files/open-page
    install -m 0644 -t "$share/applications" Deploy/files/parley.desktop
    install -m 0644 -D Sources/CPageAssets/assets/icon.png \
        "$share/icons/hicolor/96x96/apps/parley.png"
    mkdir -p "$root/etc/parley"
    # A relay; every other key stands there with its default value, as a comment.
    sed 's|^# relay: no$|relay: yes|; s|^# \(data: /var/lib/parley\)$|\1|' Deploy/parley.yaml \
        >"$root/etc/parley/parley.yaml"
    chmod 0644 "$root/etc/parley/parley.yaml"
    install -m 0644 -D Deploy/files/parley.ufw "$root/etc/ufw/applications.d/parley"
    install -m 0755 -t "$doc/examples/runit" Deploy/runit/run
    install -m 0644 -D -t "$doc/examples/grafana" Deploy/grafana/parley.json
    install -m 0644 -D -t "$doc/examples/prometheus" Deploy/prometheus/parley.rules.yaml
    notices >"$doc/NOTICE"
    "$packed" --experimental-dump-help >"$work/commands"
    env --ignore-environment "$packed" config show --json >"$work/keys"
    Deploy/man-pages.py "${version%%+*}" "$(date --date="@$SOURCE_DATE_EPOCH" +%F)" \
        "$work/commands" "$work/keys" "$share/man"
    # It is read by a shell and never run.
    "$packed" --generate-completion-script bash | sed '1 { /^#!/d }' \
        >"$share/bash-completion/completions/parley"
    "$packed" --generate-completion-script zsh >"$share/zsh/$3/_parley"
    "$packed" --generate-completion-script fish >"$share/fish/vendor_completions.d/parley.fish"
}

make_deb() {
    need dh dpkg-buildpackage fakeroot python3
    local folder=$work/parley-$version
    mkdir "$folder"
    cp -r Deploy/debian "$folder/"
    arrange "$folder/root" /usr vendor-completions
    install -m 0644 -D Deploy/files/parley.firewalld.xml \
        "$folder/root/usr/lib/firewalld/services/parley.xml"
    cp Deploy/files/parley.service "$folder/debian/"
    cp Deploy/files/parley.user.service "$folder/debian/"
    sed -i "s/@MAINTAINER@/$(maintainer)/" "$folder/debian/control"
    Deploy/debian-changelog.py CHANGELOG.md "$epoch:$version" "$(maintainer)" "$SOURCE_DATE_EPOCH" \
        >"$folder/debian/changelog"
    (cd "$folder" && dpkg-buildpackage --no-sign --build=binary --no-check-builddeps) >&2
    mv "$work"/parley_*.{deb,changes,buildinfo} "$output/"
    made+=("$output/parley_${version}_$(dpkg --print-architecture).deb")
}

# The libraries of the system that the executable needs, one a line.
needed_libraries() {
    readelf --dynamic "$packed" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/- \1/p' | sort
}

make_dist() {
    need python3 readelf xz
    local name
    name=parley-$version-linux-$(uname -m)
    local folder=$work/$name unit
    arrange "$folder" /usr/local site-functions
    install -m 0644 -D Deploy/files/parley.firewalld.xml \
        "$folder/etc/firewalld/services/parley.xml"
    install -m 0644 -D Deploy/files/parley.service \
        "$folder/usr/local/lib/systemd/system/parley.service"
    install -m 0644 -D Deploy/files/parley.user.service \
        "$folder/usr/local/lib/systemd/user/parley.service"
    while read -r unit; do
        sed -i 's#/usr/\(bin\|libexec\)/parley#/usr/local/\1/parley#' "$unit"
    done < <(find "$folder" -name '*.service' -o -name '*.desktop' -o -path '*/runit/run')
    install -m 0644 Deploy/debian/copyright "$folder/usr/local/share/doc/parley/"
    { cat Deploy/files/README.dist.md && needed_libraries; } >"$folder/README.md"
    tar --create --directory "$work" --sort=name --format=gnu --owner=0 --group=0 \
        --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$name" |
        xz --threads=2 -6 >"$output/$name.tar.xz"
    made+=("$output/$name.tar.xz")
}

main() {
    local kinds=() made=() output=.build/packages executable='' version='' packed kind
    while (($#)); do
        case $1 in
        deb | dist) kinds+=("$1") ;;
        --version | --executable | --output)
            (($# > 1)) || fail 64 "$1 takes a value"
            printf -v "${1#--}" '%s' "$2"
            shift
            ;;
        *) fail 64 "usage: package.sh [deb] [dist] [--version VERSION] [--executable FILE]" \
            "[--output FOLDER]" ;;
        esac
        shift
    done
    [[ -n $executable ]] || build
    if ((${#kinds[@]} == 0)); then
        printf '%s\n' "$executable"
        return
    fi

    need strip
    set_date
    [[ -n $version ]] || version=$(source_version)
    mkdir -p "$output"
    # Not `readonly`, as the trap runs after this function.
    work=$(mktemp -d .build/package.XXXXXX)
    trap 'rm -rf "$work"' EXIT
    packed=$PWD/$work/parley
    strip -o "$packed" "$executable"
    for kind in "${kinds[@]}"; do
        "make_$kind"
    done
    printf '%s\n' "${made[@]}"
}

main "$@"
