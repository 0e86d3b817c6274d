# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: installing what a fresh Debian lacks, and saying what is done.

set -eu
cd "$(dirname "$0")/.."

say() {
    printf '\n== %s\n' "$*"
}

fail() {
    printf '%s: error: %s\n' "$0" "$*" >&2
    exit 1
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

has_candidate() {
    apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "needs root to install packages: $*"
    fi
}

lists_are_fresh=no
update_lists() {
    [ "$lists_are_fresh" = no ] || return 0
    lists_are_fresh=yes
    say "apt-get update"
    as_root apt-get -qq update || echo "The package lists cannot be updated; going on with what there is."
}

# Installs those of the named packages that are missing; nothing happens if none is.
install_packages() {
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || fail "these packages are missing, and there is no apt-get:$missing"
    for package in $missing; do
        has_candidate "$package" || update_lists
    done
    say "apt-get install$missing"
    # shellcheck disable=SC2086 # a list of words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
}

# What every build needs, and more that the caller names.
install_tools() {
    install_packages cmake ninja-build gcc g++ libc6-dev pkg-config libyaml-dev libjansson-dev libxxhash-dev "$@" ||
        fail "the packages above could not be installed; the build needs all of them"
}

# The versions of libclang that this machine has or can install, newest first. 19 is the oldest that does.
libclang_versions() {
    for version in 22 21 20 19; do
        if is_installed "libclang-$version-dev" || has_candidate "libclang-$version-dev"; then
            echo "$version"
        fi
    done
}

install_libclang() {
    install_packages "libclang-$1-dev" "libclang-common-$1-dev"
}

# Installs the newest libclang there is and sets $libclang to its version.
install_newest_libclang() {
    libclang=$(libclang_versions | head -n 1)
    if [ -z "$libclang" ]; then
        update_lists
        libclang=$(libclang_versions | head -n 1)
    fi
    [ -n "$libclang" ] || fail "no libclang >= 19 is installed or in the package lists (Debian 12 has libclang-19-dev)"
    install_libclang "$libclang" || fail "libclang-$libclang-dev could not be installed"
}

jobs() {
    nproc 2>/dev/null || echo 2
}
