#!/usr/bin/python3
"""A compiled GPT trains like the same GPT in PyTorch.

From the same parameters, on the same batches, the losses of 20 AdamW steps agree within 1e-4,
relative. Skipped, with a message, where PyTorch is not installed.
"""

import functools
import sys

try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}; python3-torch and python3-numpy are not installed")
    sys.exit(0)

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/execute")
import comparison  # noqa: E402
import torch_gpt  # noqa: E402
import training  # noqa: E402

BATCH, SEQUENCE = 8, 16  # those of training.EXTENTS


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    torch.set_num_threads(1)
    with open(tools.text, "rb") as file:
        text = numpy.frombuffer(file.read(), dtype=numpy.uint8).astype(numpy.int32)
    gpt = comparison.Comparison(
        inputs=("tokens", "targets"), batch_of=functools.partial(batch_of, text),
        in_torch=torch_gpt.Gpt,
        optimizer=functools.partial(torch.optim.AdamW, betas=(0.9, 0.99), eps=1e-8,
                                    weight_decay=0.01),
        steps=20, learning_rate=1e-3)
    failures = []
    for plan, mesh in (("none", "1"), ("data-megatron", "2x2")):
        program = training.Program(tools, folder, plan, mesh)
        failures += gpt.failures(f"{plan} on {mesh}", program, folder)
    sys.exit("\n".join(failures) or None)


def batch_of(text, step):
    """Returns tokens and next tokens of one step."""
    length = BATCH * SEQUENCE
    begin = step * (length + 1)
    part = text[begin:begin + length + 1]
    return (part[:-1].reshape(BATCH, SEQUENCE), part[1:].reshape(BATCH, SEQUENCE))


if __name__ == "__main__":
    main()
