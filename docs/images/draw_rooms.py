#!/usr/bin/env python3
"""Draws the top folders of the sources and what they depend on: draw_rooms.py PICTURE."""

import pathlib
import sys

from svg import CARD, GREY, INK, LINE, Picture

# Folder, left, top, width, height, colour, what it is, rows of the folders within.
ROOMS = [
    ("tools", 30, 30, 610, 50, "#eef0f2", "sbpc, sbp-opt, sbp-interpret, sbp-lab, sbprun, ...", []),
    ("codegen", 30, 136, 610, 142, "#f7e3c6", "local programs to kernels, plans, programs",
     [["driver", "interpreter"], ["cpu", "cuda", "kernels", "plan"]]),
    ("passes", 30, 308, 610, 176, "#d8e6f3", "one form to the next",
     [["stages", "differentiate", "placement", "boxing", "localize"],
      ["microbatches", "inputs", "names", "explain"],
      ["search", "schedule", "cost"]]),
    ("dialects", 30, 514, 610, 108, "#dcecd9", "ops, types, placements: the IR",
     [["nn", "sbp", "rank"]]),
    ("runtime", 700, 136, 270, 348, "#eadff0", "what programs run; no MLIR",
     [["main", "launch", "bootstrap"], ["execute", "train", "sample"],
      ["communication", "watchdog"], ["data", "checkpoint", "trace"],
      ["plan", "proof"], ["calibration", "emulation"]]),
    ("plugins", 700, 514, 270, 108, "#f3ead0", "loaded by sbpc",
     [["summa", "halo", "primer"]]),
]


def main():
    picture = Picture(1000, 690, "The folders of the sources and what depends on what")
    for room in ROOMS:
        draw(picture, *room)
    for above, below in [(80, 136), (278, 308), (484, 514)]:
        picture.arrow((335, above), (335, below - 1))
    picture.arrow((640, 55), (835, 55), (835, 135))
    picture.arrow((640, 207), (699, 207))
    picture.arrow((640, 396), (699, 396))
    picture.arrow((700, 568), (641, 568))
    picture.write(648, 384, "files,", 11, GREY)
    picture.write(648, 412, "errors", 11, GREY)
    picture.write(648, 226, "plan,", 11, GREY)
    picture.write(648, 240, "proof", 11, GREY)
    picture.write(30, 652, "An arrow reads \"includes from\". Also: plugins/primer from codegen/kernels, "
                           "dialects/sbp from runtime/bytes.", 12, GREY)
    picture.write(30, 670, "Not shown: small folders of each, and models, machines, test, docs, "
                           "packaging.", 12, GREY)
    pathlib.Path(sys.argv[1]).write_text(picture.text())


def draw(picture, name, left, top, width, height, colour, what, rows):
    picture.rectangle(left, top, width, height, colour, LINE, 6)
    picture.write(left + 14, top + 27, name, 17, bold=True)
    if width > 300:
        picture.write(left + 122, top + 27, what, 13, GREY)
    else:
        picture.write(left + 14, top + 46, what, 12, GREY)
    first = top + (42 if width > 300 else 60)
    for row, folders in enumerate(rows):
        x, y = left + 14, first + 42 * row
        for folder in folders:
            box = 18 + 7.6 * len(folder)
            picture.rectangle(x, y, box, 30, CARD, LINE, 4)
            picture.write(x + box / 2, y + 20, folder, 13, INK, "middle")
            x += box + 10


if __name__ == "__main__":
    main()
