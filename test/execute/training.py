"""Compiles and trains models: functions that the tests of whole programs share.

A test gets the paths of its tools as arguments, as Bazel's $(location) gives them:

    some_test.py --generator models/gpt.py --sbpc tools/sbpc --sbprun tools/sbprun
"""

import argparse
import array
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

# A small model with every kind of layer, and extents that the meshes divide.
EXTENTS = ["--layers", "2", "--width", "32", "--heads", "4", "--batch", "8",
           "--sequence", "16"]


def parse_tools(*more):
    """Returns the arguments of a test: paths of the tools, and of the files `more`."""
    parser = argparse.ArgumentParser()
    for name in ("sbpc", "sbprun", *more):
        parser.add_argument(f"--{name}", type=os.path.abspath, required=True)
    parser.add_argument("--generator", type=os.path.abspath)
    return parser.parse_args()


def scratch():
    """Returns a folder for this test's files."""
    return pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))


def run(*command):
    """Returns the output of `command`. Ends the test with all of its output if it
    fails."""
    command = [str(word) for word in command]
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"$ {' '.join(command)}\n{result.stdout}{result.stderr}"
                 f"exit status {result.returncode}")
    return result.stdout


class Program:
    """A GPT compiled for a mesh, say "2x2", under a plan of models/plans.py."""

    def __init__(self, tools, folder, plan, mesh, extents=EXTENTS):
        model = folder / f"{plan}-{mesh}.mlir"
        run(tools.generator, *extents, "--plan", plan, "--mesh", mesh, "-o", model)
        # The weights of the model, without the optimiser's state.
        self.parameters = re.findall(r"nn\.parameter @(\S+)", model.read_text())
        # A plan includes its machine; without a plan the program has one rank.
        placement = ["-n", "1"] if plan == "none" else []
        self._compile(tools, folder / f"{plan}-{mesh}", model, *placement)
        self.ranks = 1
        for extent in mesh.split("x"):
            self.ranks *= int(extent)

    @classmethod
    def compiled(cls, tools, path, model, *options):
        """Returns the program of a model file, to run as threads."""
        program = cls.__new__(cls)
        program._compile(tools, path, model, *options)
        return program

    def _compile(self, tools, path, model, *options):
        self._sbprun = tools.sbprun
        self.path = path
        run(tools.sbpc, model, *options, "-o", path)

    def train(self, *options, processes=False, value="loss"):
        """Returns the printed loss, or another value, of each step; 9 digits distinguish all
        f32 numbers."""
        launch = ([self._sbprun, "-n", self.ranks, self.path] if processes
                  else [self.path, "--in-process"])
        lines = run(*launch, "--json", *options).splitlines()
        return [json.loads(line)[value] for line in lines]


def largest_difference(losses, expected):
    """Returns the largest relative difference between two runs of equal length."""
    if len(losses) != len(expected):
        sys.exit(f"{len(losses)} losses, but {len(expected)} expected")
    return max(abs(a - b) / abs(b) for a, b in zip(losses, expected))


def read_tensors(path):
    """Returns the f32 tensors of a safetensors file, flat, by name."""
    data = path.read_bytes()
    size, = struct.unpack_from("<Q", data)
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            tensors[name] = array.array("f", data[8 + size + begin:8 + size + end])
    return tensors


def largest_difference_of_tensors(tensors, expected):
    """Returns the largest difference of an element, relative to the largest element of its
    tensor."""
    if tensors.keys() != expected.keys():
        sys.exit(f"tensors {sorted(tensors)}, but {sorted(expected)} expected")
    return max(max(abs(a - b) for a, b in zip(tensors[name], values))
               / max(map(abs, values)) for name, values in expected.items())


def losses_of_one_rank(tools, folder, extents, options):
    """Returns the losses with which plans must agree. Ends the test if they do not
    fall."""
    losses = Program(tools, folder, "none", "1", extents).train(*options)
    print(f"1 rank: losses from {losses[0]} to {losses[-1]}")
    if losses[-1] >= losses[0]:
        sys.exit("1 rank: the loss does not fall")
    return losses


def disagreements(tools, folder, plans, extents, options, expected, tolerance):
    """Yields the differences between plans, (name, mesh) each, and 1 rank, one sentence each.

    The losses of all steps must agree with those of 1 rank, `expected`, within `tolerance`,
    relative. Two runs of a plan, as threads and as processes, must agree in every bit of
    losses and parameters.
    """
    failures = []

    for plan, mesh in plans:
        program = Program(tools, folder, plan, mesh, extents)
        first, second = folder / "first.safetensors", folder / "second.safetensors"
        losses = program.train(*options, "--save", first)
        again = program.train(*options, "--save", second, processes=True)
        difference = largest_difference(losses, expected)
        print(f"{plan} on {mesh}: largest relative difference {difference:.2g}")
        if difference > tolerance:
            failures.append(f"{plan}: losses differ by {difference:.2g}: {losses}, "
                            f"but on 1 rank {expected}")
        if again != losses:
            failures.append(f"{plan}: threads gave {losses}, processes {again}")
        if first.read_bytes() != second.read_bytes():
            failures.append(f"{plan}: two runs saved different parameters")
    return failures


def write_npy(path, type_, shape, data):
    """Writes a .npy file of version 1."""
    header = str({"descr": type_, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
                     + data)


def write_data(folder, name, type_, shape, numbers):
    """Writes a file of `numbers` for the input `name`, with type "f" or "i" as in Python's
    arrays. Returns the option that reads it."""
    path = folder / f"{name}.npy"
    write_npy(path, f"<{type_}4", shape, array.array(type_, numbers).tobytes())
    return ["--data", f"{name}={path}"]


def write_images(folder, number, extent, classes):
    """Writes files of `number` random images and labels. Returns the options that train on
    them."""
    numbers = random.Random(1)
    shape = (number, 3, extent, extent)
    images = [numbers.gauss(0, 1) for _ in range(math.prod(shape))]
    labels = [numbers.randrange(classes) for _ in range(number)]
    return [*write_data(folder, "images", "f", shape, images),
            *write_data(folder, "labels", "i", shape[:1], labels)]
