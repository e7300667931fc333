#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# Makes sure that the interpreters of the tests are there, and prints them as JSON (see find.py).
#
# Those on the machine are taken as they are. The others come from Debian roots in a cache folder
# outside the tree, ${SPYGLASS_CACHE:-~/.cache/spyglass}/roots: bullseye (3.9), trixie (3.13) and sid
# (3.14 and 3.15). A root that exists is used again. A new one is built under another name and
# renamed when it is complete, so that a failure leaves nothing half; a lock keeps two runs apart.
# A root that cannot be built is said and left out: the caller decides whether enough remains.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache="${SPYGLASS_CACHE:-${HOME:-/root}/.cache/spyglass}/roots"
mirror="${SPYGLASS_MIRROR:-http://deb.debian.org/debian}"
python="${PYTHON:-/usr/bin/python3}"
[ -x "$python" ] || python=$(command -v python3)

say() { echo "interpreters: $*" >&2; }

# What lies in the cache under the name of a root is complete, because only a rename puts it there.
build_root() { # SUITE PACKAGES OPTIONAL_PACKAGES
    suite=$1
    root="$cache/$suite"
    [ ! -d "$root" ] || return 0
    unfinished="$cache/.$suite.unfinished"
    log="$cache/$suite.log"
    rm -rf "$unfinished"
    say "building a Debian root with $2 $3 in $root (a minute or two)"
    if ! debootstrap --variant=minbase --include="$2" "$suite" "$unfinished" "$mirror" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        say "could not build the root of Debian $suite; the whole log is $log"
        rm -rf "$unfinished"
        return 0
    fi
    for package in $3; do
        # A suite that lags behind is no reason to fail: Check-Valid-Until concerns only its age.
        if ! chroot "$unfinished" sh -c "apt-get -o Acquire::Check-Valid-Until=false update &&
                DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $package" \
                >>"$log" 2>&1; then
            say "Debian $suite has no $package; the log is $log"
        fi
    done
    rm -rf "$unfinished"/var/cache/apt/archives/*.deb "$unfinished"/var/lib/apt/lists/*
    mv "$unfinished" "$root"
}

if [ "$(id -u)" != 0 ]; then
    say "not root, so no Debian roots: only the interpreters of this machine are used"
elif [ -d "$cache/bullseye" ] && [ -d "$cache/trixie" ] && [ -d "$cache/sid" ]; then
    : # nothing to build
elif ! command -v debootstrap >/dev/null 2>&1; then
    say "debootstrap is not installed, so no Debian roots: apt-get install debootstrap"
else
    mkdir -p "$cache"
    exec 9>"$cache/.lock"
    flock 9
    build_root bullseye python3 ""
    build_root trixie python3 ""
    build_root sid python3 "python3.14 python3.15"
    exec 9>&-
fi

exec "$python" "$here/find.py"
