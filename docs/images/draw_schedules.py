#!/usr/bin/env python3
"""Draws schedules of pipelines as sbp-lab simulates them: draw_schedules.py SBP_LAB PICTURE.

A row is a worker, a box a task, its width the time that it takes.
"""

import json
import pathlib
import re
import subprocess
import sys

from svg import CARD, GREY, INK, Picture

# Forward and backward of the pipe that begins on worker 0, and of the opposite one.
FORWARD, BACKWARD = "#8fb8de", "#4c78a8"
OPPOSITE_FORWARD, OPPOSITE_BACKWARD = "#f6cf94", "#e0902c"
WEIGHTS = "#b9d8b5"
UNIT, ROW, LEFT = 24, 26, 104

SCHEDULES = [
    ("gpipe", "holds all 8 micro-batches between forward and backward"),
    ("1f1b", "same bubble, and worker s holds at most 4 - s micro-batches"),
    ("zb-h1", "backward in two halves: the halves for weights (green) fill the bubbles"),
    ("chimera", "a second, opposite pipe (orange) fills the bubbles: two copies of the weights"),
]


def main():
    tool, output = sys.argv[1:]
    runs = [(family, caption, simulate(tool, family)) for family, caption in SCHEDULES]
    width = LEFT + UNIT * int(max(run["makespan"] for *_, run in runs)) + 30
    picture = Picture(width, 40 + len(runs) * (4 * ROW + 56), "Four schedules of one pipeline")
    y = 36
    for family, caption, run in runs:
        picture.write(20, y, family, 16, bold=True)
        picture.write(LEFT, y, f"{caption}; {run['makespan']:g} units of time, bubble "
                               f"{100 * run['bubble_ratio']:.0f} %", 13, GREY)
        draw(picture, y + 12, run)
        y += 4 * ROW + 56
    picture.write(20, y - 8, "4 workers, 8 micro-batches; a forward takes 1, a backward 2, a half 1. "
                             "Numbers are micro-batches, light is forward.", 12, GREY)
    pathlib.Path(output).write_text(picture.text())


def simulate(tool, family):
    return json.loads(subprocess.run(
        [tool, "--json", "schedule", "--family", family, "--stages", "4", "--micro-batches", "8"],
        check=True, stdout=subprocess.PIPE).stdout)


def draw(picture, top, run):
    homes = {}
    for worker in run["per_worker"]:
        for task in worker["tasks"]:
            stage, kind, micro_batch = re.match(r"(\d+)([FBIW])(\d+)", task["task"]).groups()
            homes.setdefault((stage, micro_batch), worker["worker"])
    for worker in run["per_worker"]:
        row = top + ROW * worker["worker"]
        picture.write(20, row + 16, f"worker {worker['worker']}", 13)
        picture.rectangle(LEFT, row, UNIT * run["makespan"], ROW - 4, "#eef0f2")
        for task in worker["tasks"]:
            box(picture, row, task, homes)


def box(picture, row, task, homes):
    stage, kind, micro_batch = re.match(r"(\d+)([FBIW])(\d+)", task["task"]).groups()
    opposite = homes[("0", micro_batch)] != 0
    colours = {"F": OPPOSITE_FORWARD if opposite else FORWARD, "W": WEIGHTS}
    colour = colours.get(kind, OPPOSITE_BACKWARD if opposite else BACKWARD)
    x, width = LEFT + UNIT * task["start"], UNIT * (task["end"] - task["start"])
    picture.rectangle(x, row, width, ROW - 4, colour, CARD)
    picture.write(x + width / 2, row + 16, micro_batch, 12,
                  "#ffffff" if kind in "BI" else INK, "middle")


if __name__ == "__main__":
    main()
