#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing for one purpose: build, test, lint or fuzz. When
# nothing is missing it touches nothing, needs no rights and no network.
set -eu

build="g++ gcc cmake ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev libgtest-dev libgmock-dev
       libbenchmark-dev python3-dev pkg-config binutils"
test="$build python3 python3-pytest python3-pytest-xdist python3-greenlet debootstrap util-linux
      babeltrace2"
lint="$build clang-format clang-tidy python3"
fuzz="$build clang libclang-rt-14-dev"

purpose="${1:-build}"
case "$purpose" in
build) wanted=$build ;;
test) wanted=$test ;;
lint) wanted=$lint ;;
fuzz) wanted=$fuzz ;;
*)
    echo "usage: $0 build|test|lint|fuzz" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "$0: this is not a Debian system; make sure that these are there:" $wanted >&2
    exit 0
fi

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "$0: missing packages:$missing" >&2
    echo "$0: install them as root: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

echo "Installing missing Debian packages:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    if ! $as_root env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1; then
        cat "$log" >&2
        echo "$0: this failed: $*" >&2
        exit 1
    fi
}
run apt-get -o DPkg::Lock::Timeout=300 update
run apt-get -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends $missing
