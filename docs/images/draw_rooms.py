#!/usr/bin/env python3
"""Draws the top folders of the sources and what they depend on: draw_rooms.py PICTURE."""

import pathlib
import sys

from svg import CARD, GREY, INK, LINE, Picture

# Folder, left, top, width, height, colour, what it is, rows of the folders within, and what
# each row does. In codegen and passes, a folder includes from the rows below its own only.
ROOMS = [
    ("tools", 30, 30, 610, 50, "#eef0f2", "sbpc, sbp-opt, sbp-interpret, sbp-lab, sbprun, ...", [], []),
    ("codegen", 30, 110, 610, 184, "#f7e3c6", "local programs to kernels, plans, programs",
     [["driver"], ["cpu", "cuda", "interpreter"], ["kernels"], ["plan"]],
     ["command lines, backends", "kernels of a target; the oracle", "shared by targets",
      "tasks and buffers"]),
    ("passes", 30, 324, 610, 292, "#d8e6f3", "one form to the next",
     [["cut", "explain"], ["placement"], ["search"], ["differentiate", "localize"],
      ["stages", "boxing"], ["microbatches", "inputs", "plan", "cost"],
      ["module", "names", "options", "schedule", "diagnostics"]],
     ["chooses stages; explains a plan", "gives every tensor a placement", "finds and proves plans",
      "training step; program of a rank", "functions of stages; movements", "", ""]),
    ("dialects", 30, 646, 610, 76, "#dcecd9", "ops, types, placements: the IR",
     [["nn", "sbp", "rank"]], []),
    ("runtime", 700, 110, 270, 506, "#eadff0", "what programs run; no MLIR",
     [["main", "launch", "bootstrap"], ["execute", "train", "sample"],
      ["communication", "watchdog"], ["data", "checkpoint", "trace"],
      ["plan", "proof"], ["calibration", "initialize"],
      ["tensor", "math"], ["random", "hash", "cpu"],
      ["file", "json", "status"], ["options", "bytes", "text"], ["object"]], []),
    ("plugins", 700, 646, 270, 76, "#f3ead0", "loaded by sbpc",
     [["summa", "halo", "primer", "mamba"]], []),
]
ROW = 35


def main():
    picture = Picture(1000, 786, "The folders of the sources and what depends on what")
    for room in ROOMS:
        draw(picture, *room)
    for above, below in [(80, 110), (294, 324), (616, 646)]:
        picture.arrow((335, above), (335, below - 1))
    picture.arrow((640, 55), (835, 55), (835, 109))
    picture.arrow((640, 207), (699, 207))
    picture.arrow((640, 470), (699, 470))
    picture.arrow((700, 690), (641, 690))
    picture.write(646, 226, "plan,", 11, GREY)
    picture.write(646, 240, "proof", 11, GREY)
    picture.write(646, 458, "files,", 11, GREY)
    picture.write(646, 488, "errors", 11, GREY)
    picture.write(30, 748, "An arrow reads \"includes from\". In codegen and passes a folder includes from the "
                           "rows below its own only.", 12, GREY)
    picture.write(30, 766, "Also: plugins/primer and mamba from codegen, dialects/sbp from runtime/bytes. Not shown: "
                           "models, machines, test, docs, packaging.", 12, GREY)
    pathlib.Path(sys.argv[1]).write_text(picture.text())


def draw(picture, name, left, top, width, height, colour, what, rows, deeds):
    picture.rectangle(left, top, width, height, colour, LINE, 6)
    picture.write(left + 14, top + 27, name, 17, bold=True)
    if width > 300:
        picture.write(left + 122, top + 27, what, 13, GREY)
    elif height > 80:
        picture.write(left + 14, top + 46, what, 12, GREY)
    else:
        picture.write(left + 96, top + 27, what, 12, GREY)
    first = top + (40 if width > 300 else 60 if height > 80 else 36)
    for row, folders in enumerate(rows):
        x, y = left + 14, first + ROW * row
        for folder in folders:
            box = 18 + 7.6 * len(folder)
            picture.rectangle(x, y, box, 27, CARD, LINE, 4)
            picture.write(x + box / 2, y + 18, folder, 13, INK, "middle")
            x += box + 10
        if deeds:
            picture.write(left + width - 14, y + 18, deeds[row], 12, GREY, "end")


if __name__ == "__main__":
    main()
