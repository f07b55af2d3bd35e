#!/usr/bin/python3
"""Models as users write them train in micro-batches, and in stages, as on one rank.

The models are a GPT with fused QKV, rotary positions and ignored labels, an LSTM, a gated MLP
whose loss is no mean, convolutions of groups of channels, and heads whose losses are means
over labels of which each micro-batch has another number. The losses of 10 steps on two
ranks, in 4 micro-batches, and in 4 micro-batches and 2 stages, agree within 1e-5, relative,
with those of one rank with the whole batch.
"""

import sys

import field_models
import training

TOLERANCE = 1e-5
PLACEMENTS = [["--micro-batches", 4],
              ["--micro-batches", 4, "--stages", 2, "--schedule", "1f1b"],
              ["--micro-batches", 4, "--stages", 2, "--schedule", "zb-h1"]]


def losses(tools, path, model, data, *placement):
    program = training.Program.compiled(tools, path, model, *placement)
    return program.train(*data, "--steps", "10", "--seed", "3", "--lr", "0.1")


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    failures = []
    for model in field_models.MODELS:
        path, data = field_models.write(folder, model)
        expected = losses(tools, folder / "whole", path, data, "-n", 1)
        print(f"{model.__name__}: losses from {expected[0]} to {expected[-1]}")
        for placement in PLACEMENTS:
            found = losses(tools, folder / "parts", path, data, "-n", 2, *placement)
            difference = training.largest_difference(found, expected)
            what = " ".join(map(str, placement))
            print(f"  {what}: largest relative difference {difference:.2g}")
            if difference > TOLERANCE:
                failures.append(f"{model.__name__}, {what}: {found}, not {expected}")
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
