#!/usr/bin/python3
"""A GPU that computes and communicates side by side computes the bits of one that does so in turn.

A stand-in for NVIDIA's driver does the work of streams late, in orders that a seed chooses. The
losses and norms of all seeds are those of one stream that starts kernels one by one, and not as
CUDA graphs. Each wait of a stream for another one that the first step of rank 1 has is then left
out: some seed notices that the results are others. SBP_TEST_SEEDS is the number of seeds.
"""

import itertools
import os
import sys

import gpu
import training

MODEL = ["--layers", "1", *gpu.SMALL_GPT]
# Devices so slow that the search splits the work, in several ways.
MACHINE = ('sbp.machine @nodes [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>] device '
           "#sbp.device<kind = gpu, memory = 16GB, bandwidth = 1.0e8, "
           "rates = [#sbp.rate<f32, 1.0e8>]>\n")
ONE_STEP = ["--seed", "7", "--steps", "1"]
SEEDS = int(os.environ.get("SBP_TEST_SEEDS", "12"))
MOST_SEEDS = 100  # until an edge that is left out must have been noticed


def main():
    tools = gpu.parse_tools("text")
    folder = training.scratch()
    model, machine = folder / "gpt.mlir", folder / "machine.mlir"
    training.run(tools.generator, *MODEL, "-o", model)
    machine.write_text(MACHINE)
    program = gpu.GpuProgram(tools, folder / "gpt", model, "--machine", machine)
    options = ["--text", tools.text, "--seed", "7", "--steps", "2"]
    expected = program.train(2, *options, "--one-stream", "--no-graphs", value=gpu.NUMBERS)
    for seed, way in itertools.product(range(SEEDS), ("peer", "staged")):
        numbers = program.train(2, *options, "--collectives", way, value=gpu.NUMBERS, seed=seed)
        if numbers != expected:
            sys.exit(f"seed {seed}, {way}: {numbers}, but one stream gives {expected}")
    for edge in itertools.count():
        first = program.start(2, *ONE_STEP, "--text", tools.text, edge=f"1:{edge}")
        if f"wait {edge} is left out" not in first.stderr:
            break
        print(f"wait {edge}: noticed with {noticed(program, options, expected, edge)}")
    if edge < 4:
        sys.exit(f"only {edge} waits: streams do not run side by side")


def noticed(program, options, expected, edge):
    """Returns the first seed whose results show that a wait is left out."""
    for seed in range(MOST_SEEDS):
        result = program.start(2, *options, "--json", edge=f"1:{edge}", seed=seed)
        if result.returncode != 0 or gpu.values(result, gpu.NUMBERS) != expected:
            return f"seed {seed}"
    sys.exit(f"nobody notices that wait {edge} is left out")


if __name__ == "__main__":
    main()
