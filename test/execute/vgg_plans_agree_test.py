#!/usr/bin/python3
"""A VGG computes the same under every plan, including searched plans.

It trains for 10 steps of SGD with momentum on 1 rank, and on 4 ranks under each plan
(samples, with units in dense layers; samples, filters and units), as in cnn_plans_agree_test.py.
The search finds plans for machines with slow and with fast links, of one and of two levels.
"""

import sys

import training

TOLERANCE = 1e-5
PLANS = [("dense", "4"), ("data-filters", "2x2")]
BATCH, EXTENT, CLASSES = 8, 32, 5
EXTENTS = ["--layers", 11, "--batch", BATCH, "--extent", EXTENT, "--classes", CLASSES,
           "--divisor", "16"]

MACHINES = {
    "slow links": """sbp.machine @machine [
        #sbp.level<"rank" x 4, alpha = 1.0e-5, beta = 1.0e-7>]""",
    "fast links": """sbp.machine @machine [
        #sbp.level<"rank" x 4, alpha = 0.0, beta = 1.0e-12>]""",
    "two levels": """sbp.machine @machine [
        #sbp.level<"node" x 2, alpha = 1.0e-7, beta = 1.0e-8>,
        #sbp.level<"gpu" x 2, alpha = 1.0e-8, beta = 1.0e-11>]""",
}
DEVICE = """ device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10,
                                rates = [#sbp.rate<f32, 1.0e10>]>"""


def failures_of_search(tools, folder, options, expected):
    """Yields what is wrong with searched plans, one sentence each."""
    model = folder / "searched.mlir"
    training.run(tools.generator, *EXTENTS, "-o", model)
    placed = set()
    for name, machine in MACHINES.items():
        file = folder / "machine.mlir"
        file.write_text(machine + DEVICE)
        placed_model = folder / "placed.mlir"
        training.run(tools.sbpc, model, "--machine", file, "--emit", "placed", "-o",
                     placed_model)
        program = training.Program.compiled(tools, folder / "searched", placed_model)
        text = placed_model.read_text()
        placed.add("\n".join(line for line in text.splitlines()
                             if "sbp.machine" not in line))
        difference = training.largest_difference(program.train(*options), expected)
        print(f"{name}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            yield f"{name}: losses differ by {difference:.2g}"
    # The search must find different plans.
    if len(placed) != len(MACHINES):
        yield f"{len(MACHINES)} machines gave {len(placed)} plans"


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    options = [*training.write_images(folder, 2 * BATCH, EXTENT, CLASSES),
               "--steps", "10", "--lr", "0.01", "--seed", "7"]
    expected = training.losses_of_one_rank(tools, folder, EXTENTS, options)
    failures = training.disagreements(tools, folder, PLANS, EXTENTS, options, expected,
                                      TOLERANCE)
    failures += failures_of_search(tools, folder, options, expected)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
