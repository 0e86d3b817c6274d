#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what an operation costs over its baseline, by number of buffers, as SVG: plot.py RESULTS.json OUTPUT.svg"""

import json
import pathlib
import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 400, 70, 40, 20, 60
COLOURS = {
    "guardrt one stream": "#1b7837",
    "guardrt several streams": "#5aae61",
    "guards one stream": "#2166ac",
    "guards several streams": "#67a9cf",
    "two events a buffer": "#b2182b",
}
BUFFERS = [1, 2, 4, 8, 16]


def scale(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top


def column(index: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * index / (len(BUFFERS) - 1)


def curve(points: list[tuple[float, float]], colour: str, dash: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'


def axes(top: float, step: float) -> list[str]:
    lines = []
    value = 0.0
    while value <= top:
        y = scale(value, top)
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        value += step
    for index, count in enumerate(BUFFERS):
        lines.append(f'<text x="{column(index):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}</text>')
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 18}" text-anchor="middle">buffers an operation accesses</text>')
    return lines


def main() -> int:
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())
    over: dict[str, dict[int, float]] = {}
    for result in data["results"]:
        if result["name"] in COLOURS and "over" in result:
            over.setdefault(result["name"], {})[result["buffers"]] = result["over"]
    top = 1.05 * max(max(values.values()) for values in over.values())
    step = 1000 if top > 1500 else 50
    body = axes(top, step)
    body.append(curve([(column(i), scale(60 + 10 * count, top)) for i, count in enumerate(BUFFERS)], "#888", "6 4"))
    for row, (name, values) in enumerate(over.items()):
        body.append(curve([(column(i), scale(values[count], top)) for i, count in enumerate(BUFFERS)], COLOURS[name]))
        body.append(f'<text x="{LEFT + 12}" y="{TOP + 16 + 16 * row}" fill="{COLOURS[name]}">{name}</text>')
    body.append(f'<text x="{LEFT + 12}" y="{TOP + 16 + 16 * len(over)}" fill="#888">target: 60 + 10 a buffer</text>')
    title = f"{data['device']}: ns over a bare launch (several streams: over launch + record)"
    pathlib.Path(sys.argv[2]).write_text(
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/><text x="{WIDTH / 2}" y="22" '
        f'text-anchor="middle" font-size="14">{title}</text>' + "".join(body) + "</svg>\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
