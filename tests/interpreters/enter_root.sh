#!/bin/sh
# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# enter_root.sh ROOT PYTHON ARGS...: runs the Python of a Debian root, as this very process (each step
# is an exec, so the pid is the interpreter's). In a mount namespace of its own the root gets /proc,
# /dev/shm, the host's /tmp and this source tree, all under the paths that they have outside.
#
#   SPYGLASS_ROOT_USER=UID:GID   become that user inside
#   SPYGLASS_ROOT_BARE=1         mount nothing: a root without /proc
set -eu
root=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
user="${SPYGLASS_ROOT_USER:-}"
# Inside, the working directory should be the same one if it exists there.
cwd=$(pwd)
unset SPYGLASS_ROOT_USER

if [ -n "${SPYGLASS_ROOT_BARE:-}" ]; then
    unset SPYGLASS_ROOT_BARE
    exec chroot ${user:+--userspec="$user"} "$root" "$@"
fi

mkdir -p "$root$tree" "$root/dev/shm"
# LD_PRELOAD is for the interpreter alone: the tools on the way there belong to another libc.
preload="${LD_PRELOAD:-}"
unset LD_PRELOAD
exec unshare --mount --propagation private sh -c '
    set -eu
    root=$1 tree=$2 user=$3 cwd=$4 preload=$5
    shift 5
    mount -t proc proc "$root/proc"
    mount --rbind /tmp "$root/tmp"
    mount --rbind /dev/shm "$root/dev/shm"
    mount --rbind "$tree" "$root$tree"
    exec chroot ${user:+--userspec="$user"} "$root" /bin/sh -c '\''
        cd "$1" 2>/dev/null || cd /
        preload=$2
        shift 2
        if [ -n "$preload" ]; then
            export LD_PRELOAD="$preload"
        fi
        exec "$@"
    '\'' sh "$cwd" "$preload" "$@"
' sh "$root" "$tree" "$user" "$cwd" "$preload" "$@"
