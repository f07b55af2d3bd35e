#!/usr/bin/python3
"""A compiled GPT trains as the same GPT does in PyTorch.

From the same parameters, on the same batches, the losses of 20 AdamW steps agree
within 1e-4, relative. Skipped, saying so, where PyTorch is not installed.

The program runs one step at a time, each from the file that the last one saved, on
a data file of exactly one batch: so both see the same batches without this test
knowing how a program shuffles.
"""

import sys

try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}; python3-torch and python3-numpy are not installed")
    sys.exit(0)

import safetensors
import torch_gpt

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/execute")
import training  # noqa: E402

TOLERANCE = 1e-4
STEPS = 20
LEARNING_RATE = 1e-3
BATCH, SEQUENCE = 8, 16  # as training.EXTENTS says


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    torch.set_num_threads(1)
    with open(tools.text, "rb") as file:
        text = numpy.frombuffer(file.read(), dtype=numpy.uint8).astype(numpy.int32)

    programs = {"none on 1": training.Program(tools, folder, "none", "1"),
                "data-megatron on 2x2":
                    training.Program(tools, folder, "data-megatron", "2x2")}
    failures = []
    for name, program in programs.items():
        start = folder / "start.safetensors"
        weights = initial_parameters(program, folder, text, start)
        expected = train_torch(weights, text)
        losses = train_program(program, folder, text, start)
        difference = training.largest_difference(losses, expected)
        print(f"{name}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"{name}: {losses}, but PyTorch: {expected}")
    sys.exit("\n".join(failures) or None)


def batch_of(text, step):
    """Tokens and next tokens of one step."""
    length = BATCH * SEQUENCE
    begin = step * (length + 1)
    part = text[begin:begin + length + 1]
    return (part[:-1].reshape(BATCH, SEQUENCE), part[1:].reshape(BATCH, SEQUENCE))


def data_of(folder, text, step):
    """The options that train on this batch alone."""
    options = []
    for name, array in zip(("tokens", "targets"), batch_of(text, step)):
        path = folder / f"{name}.npy"
        numpy.save(path, array)
        options += ["--data", f"{name}={path}"]
    return options


def initial_parameters(program, folder, text, start):
    """Writes to `start` the parameters, and the optimiser's state, before the first
    step; returns the former."""
    # A step of length zero changes weights by nothing, so what it saves are the
    # initial ones. The state it does change: it begins as zeros.
    program.train(*data_of(folder, text, 0), "--steps", "1", "--lr", "0",
                  "--save", start)
    tensors = safetensors.read(start)
    weights = {name: tensors[name] for name in program.parameters}
    state = {name: numpy.zeros_like(array) for name, array in tensors.items()
             if name not in weights}
    safetensors.write(start, {**weights, **state})
    return weights


def train_program(program, folder, text, start):
    losses = []
    for step in range(STEPS):
        losses += program.train(*data_of(folder, text, step), "--steps", "1",
                                "--lr", LEARNING_RATE, "--load", start,
                                "--save", start)
    return losses


def train_torch(weights, text):
    parameters = {name: torch.tensor(array, requires_grad=True)
                  for name, array in weights.items()}
    gpt = torch_gpt.Gpt(parameters)
    optimizer = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE,
                                  betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01)
    losses = []
    for step in range(STEPS):
        tokens, targets = (torch.tensor(array).long() for array in batch_of(text, step))
        optimizer.zero_grad()
        loss = gpt.loss(tokens, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    main()
