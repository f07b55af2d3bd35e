#!/usr/bin/python3
"""A model in stages, each on a group of ranks, trains as on one rank.

A GPT with a tied head and an odd vocabulary is cut into stages of 1, 3 and 2 layers, on groups
of 2, 2 and 1 ranks. The losses of 20 steps agree with those of one rank within 1e-5, relative,
at once and in micro-batches. Threads, processes over shared memory and processes over UCX agree
in every bit, with any schedule, whether ranks keep its order or run tasks by messages. One
schedule, by hand, has another order of micro-batches backward than forward. The same holds for
8 ranks as 2 x 2 x 2: stages, data, model. Checkpoints are loaded on one rank and back, and both
give the same sample.
"""

import os
import subprocess
import sys

import training

TOLERANCE = 1e-5
GPT = ["--layers", 6, "--width", 32, "--heads", 4, "--vocabulary", 253, "--batch", 10,
       "--sequence", 16, "--tie-head"]
CUT = ["--stages", "1,3,2", "--groups", "2,2,1"]
CUBE = ["--stages", "3,3", "--groups", "2x2,2x2", "--plan", "data-megatron"]


# The last stage has most work. It holds three micro-batches, and its backward passes have
# another order than its forward passes.
TABLE = """0F0,0F1,0F2,0F3,0B2,0F4,0B0,0B1,0B3,0B4
1F0,1F1,1F2,1F3,1B2,1B0,1F4,1B1,1B3,1B4
2F1,2F0,2F2,2B2,2B0,2B1,2F3,2B3,2F4,2B4
"""


def compiled(tools, folder, name, cut, *options):
    model = folder / f"{name}.mlir"
    training.run(tools.generator, *GPT, *cut, "-o", model)
    program = training.Program.compiled(tools, folder / name, model, *options)
    program.ranks = 5 if cut else 1
    return program


def sample(program, file):
    """Returns the bytes of a sample, which need not be text."""
    return subprocess.run([program.path, "--in-process", "--load", file, "--prompt",
                           "In the", "--sample", "30"], stdout=subprocess.PIPE,
                          check=True).stdout


def failures_of_transports(program, folder, options, expected, file):
    """Yields differences between processes and threads, which saved `file`."""
    for transport in ("shm", "ucx"):
        os.environ["SBP_TRANSPORT"] = transport
        os.environ["UCX_TLS"] = "tcp,self"
        other = folder / f"{transport}.safetensors"
        losses = program.train(*options, "--save", other, processes=True)
        del os.environ["SBP_TRANSPORT"], os.environ["UCX_TLS"]
        if losses != expected:
            yield f"over {transport}: {losses}, but threads gave {expected}"
        if other.read_bytes() != file.read_bytes():
            yield f"over {transport}: other parameters than those of threads"


def failures_of_schedules(tools, folder, options, expected, file):
    """Yields schedules that change the result; threads without a schedule saved `file`."""
    table = folder / "table.csv"
    table.write_text(TABLE)
    for schedule, how in (("1f1b", "static"), (table, "static"),
                          ("1f1b", "messages"), (table, "messages")):
        program = compiled(tools, folder, "scheduled", CUT, "--micro-batches", 5,
                           "--schedule", schedule, "--execute", how)
        other = folder / "scheduled.safetensors"
        losses = program.train(*options, "--save", other)
        if losses != expected:
            yield f"by {schedule}, {how}: {losses}, but {expected} without"
        if other.read_bytes() != file.read_bytes():
            yield f"by {schedule}, {how}: other parameters than without"
        if schedule == table:
            yield from failures_of_transports(program, folder, options, expected, file)


def failures_of_cube(tools, folder, options, expected):
    """Yields differences of two stages, each over data and over the model."""
    program = compiled(tools, folder, "cube", CUBE, "--micro-batches", 5)
    program.ranks = 8
    losses = program.train(*options, processes=True)
    difference = training.largest_difference(losses, expected)
    print(f"2 x 2 x 2: largest relative difference {difference:.2g}")
    if difference > TOLERANCE:
        yield f"2 x 2 x 2: {losses}, not {expected}"


def failures_of_checkpoints(one, stages, folder, text):
    """Yields differences of runs that resume with another cut."""
    options = ["--text", text, "--lr", "0.01", "--seed", "7"]
    for name, first, second in ("to stages", one, stages), ("to one rank", stages, one):
        file = folder / "half.safetensors"
        first.train(*options, "--steps", "10", "--save", file)
        whole = first.train(*options, "--steps", "20")
        rest = second.train(*options, "--steps", "10", "--load", file)
        difference = training.largest_difference(rest, whole[10:])
        print(f"a checkpoint goes {name}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            yield f"{name}: {rest}, not {whole[10:]}"
        if sample(first, file) != sample(second, file):
            yield f"{name}: {sample(second, file)!r}, not {sample(first, file)!r}"


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    options = ["--text", tools.text, "--steps", "20", "--lr", "0.01", "--seed", "7"]
    one = compiled(tools, folder, "one", [], "-n", "1")
    expected = one.train(*options)
    failures = []
    for count in (1, 5):
        stages = compiled(tools, folder, f"stages{count}", CUT, "--micro-batches", count)
        file = folder / "threads.safetensors"
        losses = stages.train(*options, "--save", file)
        difference = training.largest_difference(losses, expected)
        print(f"{count} micro-batches: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"{count} micro-batches: {losses}, not {expected}")
        failures += failures_of_transports(stages, folder, options, losses, file)
        if count == 5:
            failures += failures_of_schedules(tools, folder, options, losses, file)
    failures += failures_of_cube(tools, folder, options, expected)
    failures += failures_of_checkpoints(one, stages, folder, tools.text)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
