#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The repeatable mode: instructions (valgrind's callgrind) and driver calls (the counting shim) an operation, over a
driver that does nothing. simulate.py BUILD-FOLDER OUTPUT.json [--buffers 1,4,16]"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run_calls(build: pathlib.Path, library: pathlib.Path) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "calls.json"
        environment = os.environ | {
            "GUARDRT_CUDA_LIBRARY": str(build / "tests/shim/libguardrt_shim_real.so"),
            "GUARDRT_SHIM_DRIVER": str(library),
        }
        subprocess.run([build / "bench/guardrt_bench", "--mode", "calls", "--json", output], env=environment,
                       stdout=subprocess.DEVNULL, check=True)
        return json.loads(output.read_text())["results"]


def run_instructions(build: pathlib.Path, library: pathlib.Path, case: dict, batch: int) -> float:
    command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=bench_measured",
               "--callgrind-out-file=/dev/null", build / "bench/guardrt_bench", "--mode", "instructions",
               "--case", case["name"], "--buffers", str(case["buffers"])]
    ended = subprocess.run(command, env=os.environ | {"GUARDRT_CUDA_LIBRARY": str(library)}, capture_output=True,
                           text=True, check=True)
    collected = re.search(r"Collected : (\d+)", ended.stderr)
    if not collected:
        raise RuntimeError(ended.stderr)
    return int(collected.group(1)) / batch


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--buffers", default="1,4,16")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    library = build / "bench/libguardrt_null_driver.so"
    wanted = {int(count) for count in arguments.buffers.split(",")}
    results = [case for case in run_calls(build, library) if case["buffers"] in wanted]
    for case in list(results):
        count = run_instructions(build, library, case, batch=256)
        results.append(case | {"unit": "instructions", "value": round(count, 1), "spread": 0.0})
        print(f"{case['name']:34} {case['buffers']:2} buffers {count:9.1f} instructions {case['value']:6.2f} calls")
    arguments.output.write_text(json.dumps({"program": "guardrt_bench", "mode": "simulation", "results": results},
                                           indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
