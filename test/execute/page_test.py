#!/usr/bin/python3
"""The page of sbpc explain has the figures of its text.

For a CNN whose convolutions exchange halos, and a GPT with three micro-batches: the time of
every op, movement and step, and the memory of every entry, whose parts add up. The page is a
script. Without the JavaScript engine `node` only the text is checked.
"""

import math
import re
import shutil
import subprocess
import sys

import training

MACHINE = """sbp.machine @machine [#sbp.level<"gpu" x 3, alpha = 1.0e-7, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e10>]>
"""
CNN = ["--batch", "2", "--extent", "48", "--width", "8", "--stages", "2", "--classes", "5"]
GPT = ["--layers", "2", "--width", "36", "--heads", "3", "--batch", "6", "--sequence", "15"]
UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0,
         "B": 1.0, "KB": 1e3, "MB": 1e6, "GB": 1e9}
FIGURE = re.compile(r"([\d.]+(?:e[+-]\d+)?) (us|µs|ms|s|B|KB|MB|GB)\b")


def figures(text):
    return [float(number) * UNITS[unit] for number, unit in FIGURE.findall(text)]


def failures_of_memory(name, text):
    """Yields entries whose memory is not the sum of its parts."""
    lines = [line for line in text.splitlines() if line.startswith("Peak memory")]
    if not lines:
        yield f"{name}: nothing is said of memory"
    for line in lines:
        # The page also has the memory of the device.
        whole, *parts = figures(line.replace(" of 1.00 GB", ""))
        # Each figure has three digits.
        if not math.isclose(sum(parts), whole, rel_tol=1e-2):
            yield f"{name}: not the sum of its parts: {line}"


def text_rows(text):
    """Returns the description and figures of each op, movement and step, in order."""
    for line in text.splitlines():
        if match := re.match(r" {4}(nn\.\w+|move) .*  ([\d.e-]+ [um]?s)(  \S+)?$", line):
            yield match[1], figures(match[2])
        elif match := re.match(r" {6}((?:\d+ x )?\w+) +over (.*)$", line):
            yield match[1], figures(match[2])


def page_rows(text):
    """Returns the same from a page."""
    for line in text.splitlines():
        cells = line.split(" | ")
        what, *steps = cells[min(1, len(cells) - 1)].split("; ")
        if not re.match(r"nn\.|move$", what):
            continue
        if figures(cells[4]):
            yield what, figures(cells[4])
        for step in steps:
            if " over " in step:  # otherwise it is a tensor or a placement
                name, rest = step.replace("×", "x").split(" over ")
                yield name, figures(rest)


def failures_of_page(tools, folder, model, *options):
    """Yields differences between the page and the text."""
    page = folder / "report.html"
    text = training.run(tools.sbpc, "explain", model, *options, "--details", "--html", page)
    name = model.name
    yield from failures_of_memory(name, text)
    node = shutil.which("node")
    if not node:
        print(f"{name}: there is no node to draw the page")
        return
    drawn = training.run(node, tools.page_text, page)
    yield from failures_of_memory(f"{name}, the page", drawn)
    rows, page_of = list(text_rows(text)), list(page_rows(drawn))
    print(f"{name}: {len(rows)} figures, {len(page_of)} on the page")
    if len(rows) != len(page_of):
        yield f"{name}: {len(rows)} rows of text, {len(page_of)} on the page"
    for row, other in zip(rows, page_of):
        if row[0] != other[0] or len(row[1]) != len(other[1]) or not all(
                math.isclose(a, b, rel_tol=1e-2) for a, b in zip(row[1], other[1])):
            yield f"{name}: {row} in the text, {other} on the page"
            return  # the following rows probably differ as well


def main():
    tools = training.parse_tools("cnn", "halo", "page-text")
    folder = training.scratch()
    machine, cnn, gpt = (folder / name for name in ("machine.mlir", "cnn.mlir", "gpt.mlir"))
    machine.write_text(MACHINE)
    training.run(tools.cnn, *CNN, "-o", cnn)
    training.run(tools.generator, *GPT, "-o", gpt)
    failures = [*failures_of_page(tools, folder, cnn, "--machine", machine,
                                  "--load-dialect-plugin", tools.halo),
                *failures_of_page(tools, folder, gpt, "--machine", machine,
                                  "--micro-batches", 3)]
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
