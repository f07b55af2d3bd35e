#!/usr/bin/python3
"""A compiled network for images trains as the same network does in PyTorch.

From the same parameters, on the same batches, the losses of 10 steps of SGD with
momentum agree within 1e-4, relative. Skipped, saying so, where PyTorch is not
installed. One step at a time, as torch_agrees_test.py does.
"""

import pathlib
import sys
import typing

try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}; python3-torch and python3-numpy are not installed")
    sys.exit(0)

import safetensors
import torch_cnn
import torch_vgg

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/execute")
import training  # noqa: E402

TOLERANCE = 1e-4
STEPS = 10
LEARNING_RATE = 0.01
BATCH, CLASSES = 8, 5


class Network(typing.NamedTuple):
    """A network, and how it is tested."""

    in_torch: type
    extent: int        # of images
    extents: list      # options of the generator
    plans: list        # (name, mesh) each


NETWORKS = {
    "cnn": Network(torch_cnn.Cnn, 16,
                   ["--width", "8", "--stages", "2", "--blocks", "2"],
                   [("none", "1"), ("data-filters", "2x2"), ("space", "4")]),
    "vgg": Network(torch_vgg.Vgg, 32, ["--layers", "16", "--divisor", "16"],
                   [("none", "1"), ("data-filters", "2x2"), ("dense", "4")]),
}


def main():
    tools = training.parse_tools("network")
    network = NETWORKS[pathlib.Path(tools.network).name]
    extents = ["--batch", BATCH, "--extent", network.extent, "--classes", CLASSES,
               *network.extents]
    folder = training.scratch()
    torch.set_num_threads(1)
    failures = []
    for plan, mesh in network.plans:
        program = training.Program(tools, folder, plan, mesh, extents)
        start = folder / "start.safetensors"
        expected = train_torch(
            network, initial_parameters(network, program, folder, start))
        losses = train_program(network, program, folder, start)
        difference = training.largest_difference(losses, expected)
        print(f"{plan} on {mesh}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"{plan}: {losses}, but PyTorch: {expected}")
    sys.exit("\n".join(failures) or None)


def batch_of(extent, step):
    """Images and labels of one step: stripes, of which the label is the distance."""
    generator = numpy.random.default_rng(step)
    labels = generator.integers(CLASSES, size=BATCH, dtype=numpy.int32)
    columns = numpy.arange(extent, dtype=numpy.float32)
    stripes = numpy.sin(columns * 6 / (1 + labels[:, None, None, None]))
    noise = generator.standard_normal((BATCH, 3, extent, extent))
    return (stripes + noise).astype(numpy.float32), labels


def data_of(network, folder, step):
    """The options that train on this batch alone."""
    options = []
    for name, array in zip(("images", "labels"), batch_of(network.extent, step)):
        path = folder / f"{name}.npy"
        numpy.save(path, array)
        options += ["--data", f"{name}={path}"]
    return options


def initial_parameters(network, program, folder, start):
    """Writes to `start` the parameters, and the optimiser's state, before the first
    step; returns the former."""
    # A step of length zero changes no weight. The state it does change: it begins
    # as zeros.
    program.train(*data_of(network, folder, 0), "--steps", "1", "--lr", "0",
                  "--save", start)
    tensors = safetensors.read(start)
    weights = {name: tensors[name] for name in program.parameters}
    state = {name: numpy.zeros_like(array) for name, array in tensors.items()
             if name not in weights}
    safetensors.write(start, {**weights, **state})
    return weights


def train_program(network, program, folder, start):
    losses = []
    for step in range(STEPS):
        losses += program.train(*data_of(network, folder, step), "--steps", "1", "--lr",
                                LEARNING_RATE, "--load", start, "--save", start)
    return losses


def train_torch(network, weights):
    parameters = {name: torch.tensor(array, requires_grad=True)
                  for name, array in weights.items()}
    model = network.in_torch(parameters)
    optimizer = torch.optim.SGD(parameters.values(), lr=LEARNING_RATE, momentum=0.9)
    losses = []
    for step in range(STEPS):
        images, labels = (torch.tensor(array) for array in batch_of(network.extent, step))
        optimizer.zero_grad()
        loss = model.loss(images, labels.long())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    main()
