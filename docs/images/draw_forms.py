#!/usr/bin/env python3
"""Draws docs/example.mlir as it is written, placed, and run by rank 0: draw_forms.py PICTURE.

Devices 0 and 1 are node 0, devices 2 and 3 are node 1; a colour is a device.
"""

import pathlib
import sys

from svg import GREY, INK, LINE, Picture

DEVICES = ["#4c78a8", "#f0a13c", "#5aa454", "#b07aa6"]
WHOLE = "#d5dae1"
SIDE = 50
# Top edges of the activations; between two of them stands the op that makes the lower one.
ROWS = {"x": 92, "hidden": 196, "terms": 300, "result": 404}
WEIGHTS = {"up": 144, "down": 248}


def main():
    picture = Picture(1000, 510, "A model as written, placed on four devices, and as rank 0 runs it")
    legend(picture)
    written(picture, 30)
    placed(picture, 350)
    local(picture, 690)
    picture.arrow((292, 44), (336, 44))
    picture.arrow((636, 44), (676, 44))
    pathlib.Path(sys.argv[1]).write_text(picture.text())


def written(picture, left):
    heading(picture, left, "1  As you write it", "whole tensors, one device")
    flow(picture, left, ["einsum, gelu", "einsum", "pin: the sum, whole"])
    shapes = {"x": "4096 x 1024", "up": "1024 x 4096", "hidden": "4096 x 4096",
              "down": "4096 x 1024", "terms": "4096 x 1024", "result": "4096 x 1024"}
    for name, (x, y) in places(left):
        picture.rectangle(x, y, SIDE, SIDE, WHOLE, LINE)
        label(picture, x, y, name, shapes[name])


def placed(picture, left):
    heading(picture, left, "2  Placed on 2 nodes x 2 GPUs", "Split, Broadcast or Partial per mesh axis")
    flow(picture, left, ["einsum, gelu", "einsum", "cast: P to B"])
    tensors = {"x": ("[S(0), B]", [(0, 1), (2, 3)], "rows"),
               "up": ("[B, S(1)]", [(0, 2), (1, 3)], "columns"),
               "hidden": ("[S(0), S(1)]", [(0,), (1,), (2,), (3,)], "quarters"),
               "down": ("[B, S(0)]", [(0, 2), (1, 3)], "rows"),
               "terms": ("[S(0), P(sum)]", [(0, 1), (2, 3)], "rows"),
               "result": ("[S(0), B]", [(0, 1), (2, 3)], "rows")}
    for name, (x, y) in places(left):
        placement, owners, cut = tensors[name]
        for owner, corner in zip(owners, parts(x, y, cut)):
            part(picture, *corner, owner, partial=name == "terms")
        label(picture, x, y, name, placement)


def local(picture, left):
    heading(picture, left, "3  What rank 0 runs", "its parts, and one collective")
    flow(picture, left, ["einsum, gelu", "einsum", "all_reduce"])
    shapes = {"x": "2048 x 1024", "up": "1024 x 2048", "hidden": "2048 x 2048",
              "down": "2048 x 1024", "terms": "2048 x 1024", "result": "2048 x 1024"}
    extents = {"x": (1, 0.5), "up": (0.5, 1), "hidden": (0.5, 0.5), "down": (1, 0.5),
               "terms": (1, 0.5), "result": (1, 0.5)}
    for name, (x, y) in places(left):
        width, height = (SIDE * extent for extent in extents[name])
        picture.rectangle(x, y, SIDE, SIDE, stroke=WHOLE)
        picture.rectangle(x, y, width, height, DEVICES[0], INK)
        label(picture, x, y, name, shapes[name])
    y = (ROWS["terms"] + SIDE + ROWS["result"]) / 2
    picture.arrow((left + 190, y), (left + 128, y), dashed=True)
    picture.rectangle(left + 196, y - 8, 16, 16, DEVICES[1], INK)
    picture.write(left + 218, y + 4, "rank 1", 12, GREY)


def heading(picture, left, title, subtitle):
    picture.write(left, 38, title, 17, bold=True)
    picture.write(left, 60, subtitle, 13, GREY)


def flow(picture, left, ops):
    """Arrows down the activations, and from weights to the ops that take them."""
    middle = left + SIDE / 2
    rows = list(ROWS.values())
    for above, below, op in zip(rows, rows[1:], ops):
        picture.arrow((middle, above + SIDE), (middle, below - 2))
        picture.write(middle + 8, (above + SIDE + below) / 2 + 4, op, 12, GREY)
    for top in WEIGHTS.values():
        y = top + SIDE / 2
        picture.arrow((left + 150, y), (left + 120 if top == WEIGHTS["up"] else left + 84, y))


def places(left):
    for name, top in ROWS.items():
        yield name, (left, top)
    for name, top in WEIGHTS.items():
        yield name, (left + 158, top)


def label(picture, x, y, name, detail):
    picture.write(x + SIDE + 8, y + 20, name, 14, bold=True)
    picture.write(x + SIDE + 8, y + 38, detail, 12, mono=True)


def parts(x, y, cut):
    half = SIDE / 2
    if cut == "rows":
        return [(x, y, SIDE, half), (x, y + half, SIDE, half)]
    if cut == "columns":
        return [(x, y, half, SIDE), (x + half, y, half, SIDE)]
    return [(x + column * half, y + row * half, half, half)
            for row in (0, 1) for column in (0, 1)]


def part(picture, x, y, width, height, owners, partial):
    """A part in the colours of the devices that have it, or that have a term of it."""
    picture.rectangle(x, y, width, height, DEVICES[owners[0]])
    if len(owners) == 2:
        picture.polygon([(x, y + height), (x + width, y), (x + width, y + height)],
                        DEVICES[owners[1]])
    picture.rectangle(x, y, width, height, stroke=INK)
    if partial:
        picture.write(x + width / 2, y + height / 2 + 6, "+", 18, "#ffffff", "middle", bold=True)


def legend(picture):
    picture.write(30, 489, "A colour is a device:", 12, GREY)
    for device, colour in enumerate(DEVICES):
        x = 160 + 118 * device
        picture.rectangle(x, 478, 14, 14, colour, INK)
        picture.write(x + 20, 489, f"node {device // 2}, gpu {device % 2}", 12, GREY)
    picture.write(640, 489, "two colours: both have it;  +: each has a term of the sum", 12, GREY)


if __name__ == "__main__":
    main()
