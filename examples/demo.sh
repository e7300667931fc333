#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# `make demo`: starts the shop in the background, looks into it with examples/shop.spy, and stops it.
# Status 0 only if the probes fired, the session ended by itself and the shop was still alive then.
set -eu
cd "$(dirname "$0")/.."
build="${SPYGLASS_BUILD:-build}"

folder=$(mktemp -d)
mkfifo "$folder/pid"
shop=""
clean_up() {
    status=$?
    trap - EXIT INT TERM
    if [ -n "$shop" ]; then
        kill "$shop" 2>/dev/null || true
        wait "$shop" 2>/dev/null || true
    fi
    rm -rf "$folder"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo '$ python3 examples/shop.py &'
python3 examples/shop.py >"$folder/pid" &
shop=$!
# The shop says its pid when it is up: opening and reading the pipe waits for that.
read -r pid <"$folder/pid"
[ "$pid" = "$shop" ]

echo "\$ $build/spyglass -p $shop -f examples/shop.spy"
"$build/spyglass" -p "$shop" -f examples/shop.spy 2>&1 | tee "$folder/output"

grep -q '^seen 200 orders,' "$folder/output"
grep -q 'Distribution' "$folder/output"
kill -0 "$shop"
echo
echo "The shop was still running, and is stopped now."
