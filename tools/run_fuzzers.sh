#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# run_fuzzers.sh BUILD SECONDS: every harness of tests/fuzz for so long, starting from its corpus in the
# tree. New inputs stay in the build folder; a crash is printed with the file that reproduces it.
set -eu
build=$1
seconds=$2
found=0
for harness in "$build"/tests/fuzz/*_fuzz; do
    [ -x "$harness" ] || continue
    found=1
    name=$(basename "$harness")
    corpus="tests/fuzz/corpus/${name%_fuzz}"
    work="$build/fuzz-corpus/$name"
    mkdir -p "$work"
    echo "fuzz: $name"
    [ -d "$corpus" ] || corpus=""
    "$harness" -max_total_time="$seconds" -artifact_prefix="$work/" "$work" $corpus
done
if [ "$found" = 0 ]; then
    echo "fuzz: no harness was built in $build/tests/fuzz" >&2
    exit 1
fi
