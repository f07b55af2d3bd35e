#!/usr/bin/python3
"""Schedules without a flush compute what their definitions say.

In PipeDream, with D stages, stage s reads weights without the last D - 1 - s updates, and
its backward pass reads the weights that its forward pass has read. In PipeDream-2BW, every
stage reads weights without the last update. The test computes the same on one rank: before
each step a file has the parameters as old as their stages read them; a program for one rank
runs one step from it with learning rate 1; the change of the parameters is the gradient, by
which the newest parameters are updated. Losses of 20 steps and the final parameters agree
within 1e-5. All transports agree in every bit, and so does a run that was stopped, saved and
resumed.
"""

import json
import os
import re
import struct
import sys
from array import array

import training

TOLERANCE = 1e-5
NUM_STEPS = 20
RATE = 0.05
MOMENTUM = 0.9  # the generator's value
GPT = ["--layers", 4, "--width", 16, "--heads", 2, "--vocabulary", 129, "--batch", 8,
       "--sequence", 8, "--optimizer", "sgd"]


def read_tensors(path):
    """Returns the metadata and the f32 tensors, by name, of a safetensors file."""
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        tensors[name] = (info["shape"], array("f", data[8 + size + begin:8 + size + end]))
    return metadata, tensors


def write_tensors(path, metadata, tensors):
    header, data = {"__metadata__": metadata}, b""
    for name, (shape, elements) in tensors.items():
        values = elements.tobytes()
        header[name] = {"dtype": "F32", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def weights_in(path):
    """Returns the parameters in a file, without their older values and the optimiser's
    state."""
    _, tensors = read_tensors(path)
    return {name: tensor for name, tensor in tensors.items()
            if "@" not in name and not name.endswith(".velocity")}


def delays_of(model, delays):
    """Returns, for each parameter of a model file, the largest delay of a stage that reads
    it."""
    found = {}
    for operands, stage in re.findall(r"call @\w+\(([^)]*)\) \{sbp\.stage = (\d+)\}",
                                      model.read_text()):
        for name in re.findall(r"%([\w.]+)", operands):
            found[name] = max(found.get(name, 0), delays[int(stage)])
    return found


def emulated(one, folder, options, delays):
    """Returns the losses and final parameters of NUM_STEPS steps in which each parameter
    is read as it was `delays[name]` steps before."""
    file, after = folder / "one.safetensors", folder / "after.safetensors"
    # The metadata of a usual run's file have the number of the next step.
    one.train(*options, "--lr", 0, "--steps", NUM_STEPS, "--save", file,
              "--save-every", 1)
    history = [weights_in(file)]
    velocity = {name: [0.0] * len(values) for name, (_, values) in history[0].items()}
    losses = []
    for step in range(NUM_STEPS):
        old = {name: history[max(step - delays[name], 0)][name] for name in history[0]}
        load = ["--steps", 1]
        if step > 0:
            metadata, _ = read_tensors(folder / f"one-{step:06}.safetensors")
            write_tensors(file, metadata, old)
            load = ["--steps", 1, "--load", file]
        losses += one.train(*options, *load, "--lr", 1, "--save", after)
        changed = weights_in(after)
        newest = {}
        for name, (shape, values) in history[-1].items():
            velocity[name] = [MOMENTUM * v + b - a for v, b, a in
                              zip(velocity[name], old[name][1], changed[name][1])]
            newest[name] = (shape, array("f", (value - RATE * v for value, v in
                                               zip(values, velocity[name]))))
        history.append(newest)
    return losses, history[-1]


def differences(file, expected):
    """Yields the parameters in `file` that differ from the expected ones."""
    tensors = weights_in(file)
    for name, (_, values) in expected.items():
        worst = max(abs(a - b) for a, b in zip(tensors[name][1], values))
        if worst > TOLERANCE:
            yield f"{name} differs by {worst:.2g}"


def failures_of_resuming(program, folder, options, file, losses):
    """Yields the differences between a run that was stopped and resumed and one that was
    not."""
    half, rest = folder / "half.safetensors", folder / "rest.safetensors"
    first = program.train(*options, "--lr", RATE, "--steps", 7, "--save", half)
    second = program.train(*options, "--load", half, "--steps", NUM_STEPS - 7, "--save",
                           rest)
    if first + second != losses:
        yield f"resumed: {first + second}, not {losses}"
    if read_tensors(rest)[1] != read_tensors(file)[1]:
        yield "resumed: other parameters"
    every = folder / "every.safetensors"
    often = program.train(*options, "--lr", RATE, "--steps", NUM_STEPS, "--save", every,
                          "--save-every", 3)
    if often != losses or read_tensors(every)[1] != read_tensors(file)[1]:
        yield f"saved every 3 steps: {often}, not {losses}"


def failures_of_transports(program, folder, options, file, losses):
    for transport in ("shm", "ucx"):
        os.environ["SBP_TRANSPORT"] = transport
        os.environ["UCX_TLS"] = "tcp,self"
        other = folder / f"{transport}.safetensors"
        again = program.train(*options, "--lr", RATE, "--steps", NUM_STEPS, "--save", other,
                              processes=True)
        del os.environ["SBP_TRANSPORT"], os.environ["UCX_TLS"]
        if again != losses:
            yield f"over {transport}: {again}, but threads gave {losses}"
        if other.read_bytes() != file.read_bytes():
            yield f"over {transport}: other parameters than those of threads"


def failures_of(tools, folder, text, name, model_options, schedule, micro_batches, delays):
    """Yields the differences between the results of `schedule` and its definition."""
    one_model, model = folder / "one.mlir", folder / f"{name}.mlir"
    shape = [option for option in model_options if option == "--tie-head"]
    training.run(tools.generator, *GPT, *shape, "-o", one_model)
    one = training.Program.compiled(tools, folder / "one", one_model, "-n", "1")
    training.run(tools.generator, *GPT, *model_options, "-o", model)
    program = training.Program.compiled(
        tools, folder / name, model, "--micro-batches", micro_batches, "--schedule",
        schedule)
    program.ranks = sum(map(int, model_options[model_options.index("--groups") + 1]
                            .split(",")))
    options = ["--text", text, "--seed", 7]
    file = folder / f"{name}.safetensors"
    losses = program.train(*options, "--lr", RATE, "--steps", NUM_STEPS, "--save", file)
    expected, parameters = emulated(one, folder, options, delays_of(model, delays))
    difference = training.largest_difference(losses, expected)
    print(f"{name}: losses from {losses[0]:.5g} to {losses[-1]:.5g}; largest relative "
          f"difference {difference:.2g}")
    if difference > TOLERANCE:
        yield f"{name}: losses {losses}, not {expected}"
    for found in differences(file, parameters):
        yield f"{name}: {found}"
    for found in (*failures_of_transports(program, folder, options, file, losses),
                  *failures_of_resuming(program, folder, options, file, losses)):
        yield f"{name}: {found}"


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    table = folder / "table.csv"
    # A schedule between the two: stage 0 reads weights without the last update, stage 1
    # with it, with two micro-batches per step.
    table.write_text("0F0,0B1<1,0U<1,0F1,0B0\n1F0,1B0,1F1,1B1,1U\n".replace(
        "0F0,0B1<1,0U<1,0F1,0B0", "0F0,0F1,0B0<1,0B1<1,0U<1"))
    failures = [
        *failures_of(tools, folder, tools.text, "pipedream",
                     ["--stages", "1,1,1,1", "--groups", "1,1,1,1"], "pipedream", 1,
                     [3, 2, 1, 0]),
        *failures_of(tools, folder, tools.text, "2bw",
                     ["--stages", "1,2,1", "--groups", "2,1,1", "--tie-head"],
                     "pipedream-2bw", 4, [1, 1, 1]),
        *failures_of(tools, folder, tools.text, "table",
                     ["--stages", "3,1", "--groups", "1,2"], table, 2, [1, 0]),
    ]
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
