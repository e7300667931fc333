#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# package.sh BUILD: BUILD/spyglass-VERSION-PROCESSOR.tar.gz with the command, its second name, the agent and
# the licence. It is laid out to be unpacked below /usr/local.
set -eu
build=$1
version=$("$build/spyglass" --version | grep -o '[0-9][0-9.]*' | head -n 1)
name="spyglass-$version-$(uname -m)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/share/doc/spyglass"
install -m 755 "$build/spyglass" "$folder/bin/spyglass"
strip --strip-debug "$folder/bin/spyglass"
ln -s spyglass "$folder/bin/pymontrace"
install -m 755 "$build/libspyglass_agent.so" "$folder/bin/libspyglass_agent.so"
install -m 644 LICENSE README.md "$folder/share/doc/spyglass/"
tar -C "$folder" --owner=0 --group=0 -czf "$build/$name.tar.gz" bin share
echo "$build/$name.tar.gz"
