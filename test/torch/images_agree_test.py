#!/usr/bin/python3
"""A compiled network for images trains like the same network in PyTorch.

From the same parameters, on the same batches, the losses of 10 steps of SGD with momentum agree
within 1e-4, relative. Skipped, with a message, where PyTorch is not installed.
"""

import functools
import pathlib
import sys
import typing

try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}; python3-torch and python3-numpy are not installed")
    sys.exit(0)

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/execute")
import comparison  # noqa: E402
import torch_cnn  # noqa: E402
import torch_vgg  # noqa: E402
import training  # noqa: E402

BATCH, CLASSES = 8, 5


class Network(typing.NamedTuple):
    """A network, and the parameters of its test."""

    in_torch: type
    extent: int        # of images
    extents: list      # options of the generator
    plans: list        # (name, mesh) each


NETWORKS = {
    "cnn": Network(torch_cnn.Cnn, 16,
                   ["--width", "8", "--stages", "2", "--blocks", "2"],
                   [("none", "1"), ("space", "4")]),
    "vgg": Network(torch_vgg.Vgg, 32, ["--layers", "16", "--divisor", "16"],
                   [("none", "1"), ("data-filters", "2x2")]),
}


def main():
    tools = training.parse_tools("network")
    network = NETWORKS[pathlib.Path(tools.network).name]
    extents = ["--batch", BATCH, "--extent", network.extent, "--classes", CLASSES,
               *network.extents]
    folder = training.scratch()
    torch.set_num_threads(1)
    images = comparison.Comparison(
        inputs=("images", "labels"),
        batch_of=functools.partial(batch_of, network.extent), in_torch=network.in_torch,
        optimizer=functools.partial(torch.optim.SGD, momentum=0.9),
        steps=10, learning_rate=0.01)
    failures = []
    for plan, mesh in network.plans:
        program = training.Program(tools, folder, plan, mesh, extents)
        failures += images.failures(f"{plan} on {mesh}", program, folder)
    sys.exit("\n".join(failures) or None)


def batch_of(extent, step):
    """Returns images and labels of one step: stripes, whose distance is the label."""
    generator = numpy.random.default_rng(step)
    labels = generator.integers(CLASSES, size=BATCH, dtype=numpy.int32)
    columns = numpy.arange(extent, dtype=numpy.float32)
    stripes = numpy.sin(columns * 6 / (1 + labels[:, None, None, None]))
    noise = generator.standard_normal((BATCH, 3, extent, extent))
    return (stripes + noise).astype(numpy.float32), labels


if __name__ == "__main__":
    main()
