#!/usr/bin/python3
"""The same residual CNN computes the same under every plan.

10 steps of SGD with momentum on 1 rank, and on 4 ranks under each plan (samples,
filters and channels, both, rows of the outputs): all losses agree within 1e-5,
relative (sums are taken in another order, in f32), and two runs of one plan, as
threads and as processes, agree in every bit of losses and parameters.
"""

import array
import math
import random
import sys

import training

TOLERANCE = 1e-5
STEPS = 10
PLANS = [("data-parallel", "4"), ("filters", "4"), ("data-filters", "2x2"),
         ("space", "4")]
# Small, with blocks that keep the shape and ones that change it; and extents that
# the meshes do not divide.
EXTENTS = ["--batch", "8", "--extent", "12", "--width", "4", "--stages", "2",
           "--blocks", "2", "--classes", "5"]
UNEVEN = ["--batch", "5", "--extent", "9", "--width", "5", "--stages", "2",
          "--classes", "3"]


def main():
    tools = training.parse_tools()
    failures = (failures_of(tools, EXTENTS, batch=8, extent=12, classes=5)
                + failures_of(tools, UNEVEN, batch=5, extent=9, classes=3))
    sys.exit("\n".join(failures) or None)


def failures_of(tools, extents, batch, extent, classes):
    """What is wrong with the CNN of these extents, a sentence each."""
    print(f"CNN with {' '.join(extents)}")
    folder = training.scratch()
    numbers = random.Random(1)
    shape = (2 * batch, 3, extent, extent)
    images = array.array("f", (numbers.gauss(0, 1) for _ in range(math.prod(shape))))
    labels = array.array("i", (numbers.randrange(classes) for _ in range(shape[0])))
    training.write_npy(folder / "images.npy", "<f4", shape, images.tobytes())
    training.write_npy(folder / "labels.npy", "<i4", shape[:1], labels.tobytes())
    options = ["--data", f"images={folder / 'images.npy'}",
               "--data", f"labels={folder / 'labels.npy'}",
               "--steps", STEPS, "--lr", "0.01", "--seed", "7"]
    return training.disagreements(tools, folder, PLANS, extents, options, TOLERANCE)


if __name__ == "__main__":
    main()
