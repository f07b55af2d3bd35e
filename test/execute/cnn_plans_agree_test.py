#!/usr/bin/python3
"""A residual CNN computes the same under every plan.

It trains for 10 steps of SGD with momentum on 1 rank, and on 4 ranks under each plan
(samples; filters and channels; both; rows of the outputs). All losses agree within 1e-5,
relative, as f32 sums are taken in another order. Two runs of one plan, as threads and as
processes, agree in every bit of losses and parameters.
"""

import sys

import training

TOLERANCE = 1e-5
STEPS = 10
SOME = [("data-filters", "2x2"), ("space", "4")]
ALL = [("data-parallel", "4"), ("filters", "4"), *SOME]
# Small networks, with blocks that keep the shape and blocks that change it. The meshes divide
# the extents for some plans, and do not for all.
EXTENTS = ["--batch", "8", "--extent", "12", "--width", "4", "--stages", "2",
           "--blocks", "2", "--classes", "5"]
UNEVEN = ["--batch", "5", "--extent", "9", "--width", "5", "--stages", "2",
          "--classes", "3"]


def main():
    tools = training.parse_tools()
    failures = (failures_of(tools, EXTENTS, SOME, batch=8, extent=12, classes=5)
                + failures_of(tools, UNEVEN, ALL, batch=5, extent=9, classes=3))
    sys.exit("\n".join(failures) or None)


def failures_of(tools, extents, plans, batch, extent, classes):
    """Yields what is wrong with the CNN of these extents, one sentence each."""
    print(f"CNN with {' '.join(extents)}")
    folder = training.scratch()
    options = [*training.write_images(folder, 2 * batch, extent, classes),
               "--steps", STEPS, "--lr", "0.01", "--seed", "7"]
    expected = training.losses_of_one_rank(tools, folder, extents, options)
    return training.disagreements(tools, folder, plans, extents, options, expected,
                                  TOLERANCE)


if __name__ == "__main__":
    main()
