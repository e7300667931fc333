# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""check_agent.py AGENT.so: what the agent may need from, and show to, the process it is loaded into.

It must load everywhere: no library but libc's own, no glibc symbol newer than 2.28, no undefined
Python symbol. It must not be seen: two exported names, no executable stack, no text relocation.
"""

import re
import subprocess
import sys

NEWEST_GLIBC = (2, 28)
EXPORTED = {"spyglass_guest_image", "PyInit_spyglass_agent"}
LIBRARIES = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libm.so.6", "ld-linux-x86-64.so.2",
             "ld-linux-aarch64.so.1", "ld-linux-riscv64-lp64d.so.1"}


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], capture_output=True, text=True, check=True).stdout


def complaints(path):
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("--dynamic", path)):
        if library not in LIBRARIES:
            yield f"needs {library}: the agent depends on libc alone"
    if "TEXTREL" in readelf("--dynamic", path):
        yield "has text relocations"
    if re.search(r"GNU_STACK.*RWE", readelf("--program-headers", path)):
        yield "asks for an executable stack"

    defined = set()
    for line in readelf("--dyn-syms", path).splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit():
            continue
        binding, section, name = fields[4], fields[6], fields[7]
        plain, _, version = name.partition("@")
        if section == "UND":
            if plain.startswith(("Py", "_Py")) and binding != "WEAK":
                yield f"undefined {plain}: Python functions are reached through the table of capi.h"
            found = re.search(r"GLIBC_(\d+)\.(\d+)", version)
            if found and tuple(map(int, found.groups())) > NEWEST_GLIBC:
                yield f"{name} is newer than glibc {NEWEST_GLIBC[0]}.{NEWEST_GLIBC[1]}: pin it in agent/guest/glibc_compat.h"
        elif binding in ("GLOBAL", "WEAK"):
            defined.add(plain)
    for extra in sorted(defined - EXPORTED):
        yield f"exports {extra}: hidden symbols only"
    for absent in sorted(EXPORTED - defined):
        yield f"does not export {absent}"


def main(path):
    found = list(complaints(path))
    for complaint in found:
        print(f"{path}: {complaint}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
