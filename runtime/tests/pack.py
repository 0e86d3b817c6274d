#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the public header with the linter's rule pack: every function is in the pack or listed as irrelevant
there, and the pack names nothing that does not exist. Takes the runtime's folder."""

import fnmatch
import pathlib
import re
import sys


def header_functions(runtime: pathlib.Path) -> set[str]:
    text = (runtime / "include/guardrt/guardrt.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.S | re.M)
    return set(re.findall(r"GRT_API[^;]*?\b(grt_\w+)\(", text))


def hpp_names(runtime: pathlib.Path) -> str:
    return (runtime / "include/guardrt/guardrt.hpp").read_text()


def pack_names(pack: str) -> tuple[set[str], set[str]]:
    """The names with rules, and the irrelevant ones (possibly patterns), from the pack's text: a parser of YAML need
    not be installed for this."""
    ruled, irrelevant = set(), set()
    section = ""
    for line in pack.splitlines():
        top = re.match(r"(\w+):", line)
        section = top.group(1) if top else section
        names = re.findall(r"\bgrt(?:_|::)[\w:*]+", line.split("#")[0])
        if section == "calls" and re.match(r"\s*- names?:", line):
            ruled.update(names)
        elif section == "irrelevant":
            irrelevant.update(names)
    return ruled, irrelevant


def main() -> int:
    runtime = pathlib.Path(sys.argv[1]).resolve()
    functions = header_functions(runtime)
    ruled, irrelevant = pack_names((runtime.parent / "rules/guardrt.yaml").read_text())
    cpp = hpp_names(runtime)
    problems = []
    for name in sorted(functions):
        if name not in ruled and not any(fnmatch.fnmatchcase(name, pattern) for pattern in irrelevant):
            problems.append(f"{name}: in the header, not in the pack")
    for name in sorted(ruled | irrelevant):
        if name.startswith("grt::"):
            known = re.search(rf"\b{re.escape(name.split('::')[-1])}\b", cpp)
        else:
            known = any(fnmatch.fnmatchcase(function, name) for function in functions)
        if not known:
            problems.append(f"{name}: in the pack, not in the header")
    print("\n".join(problems) or f"{len(functions)} functions, all known to the pack")
    return 1 if problems or len(functions) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
