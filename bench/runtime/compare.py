#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two result files of the benchmark: compare.py BEFORE.json AFTER.json [--threshold PERCENT]

A result has improved or regressed when its value moved by more than the threshold and by more than three times the
larger spread (median absolute deviation) of the two; otherwise it is untouched. What only one file has is skipped.
Exit status: 1 when something regressed."""

import argparse
import json
import pathlib
import sys

SPREADS = 3.0


def load(path: pathlib.Path) -> dict[tuple, dict]:
    results = json.loads(path.read_text())["results"]
    return {(result["name"], result["buffers"], result["unit"]): result for result in results}


def judge(before: dict, after: dict, threshold: float) -> str:
    moved = after["value"] - before["value"]
    noise = SPREADS * max(before["spread"], after["spread"])
    if abs(moved) <= threshold * abs(before["value"]) or abs(moved) <= noise:
        return "untouched"
    return "regressed" if moved > 0 else "improved"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--threshold", type=float, default=2.0, help="percent (default 2)")
    arguments = parser.parse_args()
    before, after = load(arguments.before), load(arguments.after)
    verdicts: dict[str, int] = {"improved": 0, "regressed": 0, "untouched": 0, "skipped": 0}
    for key in sorted(before | after):
        name, buffers, unit = key
        if key not in before or key not in after:
            verdict, detail = "skipped", f"only in {'AFTER' if key in after else 'BEFORE'}"
        else:
            old, new = before[key], after[key]
            verdict = judge(old, new, arguments.threshold / 100)
            change = 100 * (new["value"] / old["value"] - 1) if old["value"] else 0.0
            detail = (f"{old['value']:.1f} -> {new['value']:.1f} {unit} ({change:+.1f} %, "
                      f"spread {old['spread']:.1f} / {new['spread']:.1f})")
        verdicts[verdict] += 1
        print(f"{verdict:9}  {name}, {buffers} buffers: {detail}")
    print(f"threshold {arguments.threshold:g} % and {SPREADS:g} spreads: "
          + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    return 1 if verdicts["regressed"] else 0


if __name__ == "__main__":
    sys.exit(main())
