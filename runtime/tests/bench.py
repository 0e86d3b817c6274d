#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark where it is exact: driver calls an operation, over a driver that does nothing. Then lets the
comparison judge made-up results. Takes the build folder and the benchmark's folder."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXPECTED_CALLS = {
    ("bare", 4): 1,
    ("bare+record", 4): 2,
    ("guardrt one stream", 4): 1,
    ("guardrt one stream", 16): 1,
    ("guardrt several streams", 4): 2,
    ("guardrt several streams", 16): 2,
    ("guards one stream", 4): 1,
    ("guards several streams", 4): 2,
    ("two events a buffer", 4): 20,
    ("ping-pong by hand", 1): 3,
    ("ping-pong guardrt", 1): 3,
    ("acquire+release one stream", 1): 0,
    ("acquire+release several streams", 1): 1,
}

BEFORE = {"same": (100, 1), "faster": (100, 1), "slower": (100, 1), "noisy": (100, 20), "gone": (1, 0)}
AFTER = {"same": (101, 1), "faster": (80, 1), "slower": (120, 1), "noisy": (130, 2), "new": (1, 0)}
VERDICTS = {"same": "untouched", "faster": "improved", "slower": "regressed", "noisy": "untouched", "gone": "skipped",
            "new": "skipped"}


def check_calls(build: pathlib.Path, folder: pathlib.Path) -> None:
    output = folder / "calls.json"
    environment = os.environ | {
        "GUARDRT_CUDA_LIBRARY": str(build / "tests/shim/libguardrt_shim_real.so"),
        "GUARDRT_SHIM_DRIVER": str(build / "bench/libguardrt_null_driver.so"),
    }
    subprocess.run([build / "bench/guardrt_bench", "--mode", "calls", "--json", output], env=environment,
                   stdout=subprocess.DEVNULL, check=True)
    measured = {(r["name"], r["buffers"]): r["value"] for r in json.loads(output.read_text())["results"]}
    for case, calls in EXPECTED_CALLS.items():
        assert measured[case] == calls, f"{case}: {measured[case]} driver calls instead of {calls}"


def write_results(path: pathlib.Path, values: dict[str, tuple[float, float]]) -> pathlib.Path:
    results = [{"name": name, "buffers": 1, "unit": "ns", "value": value, "spread": spread}
               for name, (value, spread) in values.items()]
    path.write_text(json.dumps({"results": results}))
    return path


def check_comparison(bench: pathlib.Path, folder: pathlib.Path) -> None:
    before = write_results(folder / "before.json", BEFORE)
    after = write_results(folder / "after.json", AFTER)
    ended = subprocess.run([sys.executable, bench / "compare.py", before, after], capture_output=True, text=True,
                           check=False)
    assert ended.returncode == 1, "a regression must be the exit status"
    for name, verdict in VERDICTS.items():
        assert any(line.split()[:2] == [verdict, f"{name},"] for line in ended.stdout.splitlines()), ended.stdout
    same = subprocess.run([sys.executable, bench / "compare.py", before, before], stdout=subprocess.DEVNULL, check=False)
    assert same.returncode == 0, "equal results are no regression"


def main() -> int:
    build, bench = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_calls(build, folder)
        check_comparison(bench, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
