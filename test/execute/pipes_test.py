#!/usr/bin/python3
"""Pipelines with several pipes train as on one rank.

A GPT of four stages, each on one rank or on groups of 2, 1, 1 and 2 ranks, runs by schedules
with stages on several groups: Chimera, DualPipe, and a table by hand in which micro-batches
take four ways; families_test.py has the other families. The losses of 20 steps agree with those
of one rank within 1e-5, relative, whether ranks keep the order of the schedule or run tasks by
messages. Threads, and processes over shared memory and over UCX, agree in every bit. A
checkpoint is loaded on one rank and back. If a rank is killed, the error names it, and all
ranks end.
"""

import os
import pathlib
import signal
import subprocess
import sys

import training

TOLERANCE = 1e-5
GPT = ["--layers", 4, "--width", 32, "--heads", 4, "--vocabulary", 253, "--batch", 16,
       "--sequence", 8, "--tie-head"]
ALIKE = ["--stages", "1,1,1,1"]
UNEQUAL = ["--stages", "1,1,1,1", "--groups", "2,1,1,2"]
ZIGZAG = ["--stages", "1,2,1", "--groups", "2,2,1"]

# Micro-batch 0 passes the groups downwards, 1 upwards, 2 and 3 in a zigzag.
TABLE = """0F0,2F1,0F2,2B1,1F3,1B3,0B0,0B2
1F0,1F1,2F2,2B2,1B1,2F3,2B3,1B0
0F1,2F0,0F3,1F2,2B0,1B2,0B1,0B3
"""


def cases(folder):
    """Returns cuts, numbers of ranks and schedules."""
    table = folder / "zigzag.csv"
    table.write_text(TABLE)
    for schedule in "chimera<pairs = 2>", "dualpipe<recompute = true>":
        yield ALIKE, 4, schedule, ["--micro-batches", 8]
    yield UNEQUAL, 6, "chimera", ["--micro-batches", 4]
    yield UNEQUAL, 6, "chimera", ["--micro-batches", 8, "--execute", "messages"]
    yield ZIGZAG, 5, table, []
    yield ZIGZAG, 5, table, ["--execute", "messages"]


def compiled(tools, folder, name, cut, ranks, *options):
    model = folder / f"{name}.mlir"
    training.run(tools.generator, *GPT, *cut, "-o", model)
    program = training.Program.compiled(tools, folder / name, model, *options)
    program.ranks = ranks
    return program


def failures_of_transports(program, options, expected):
    for transport in ("shm", "ucx"):
        os.environ["SBP_TRANSPORT"] = transport
        os.environ["UCX_TLS"] = "tcp,self"
        losses = program.train(*options, processes=True)
        del os.environ["SBP_TRANSPORT"], os.environ["UCX_TLS"]
        if losses != expected:
            yield f"over {transport}: {losses}, but threads gave {expected}"


def failures_of_checkpoints(one, pipes, folder, options, expected):
    for name, first, second in ("to pipes", one, pipes), ("to one rank", pipes, one):
        file = folder / "half.safetensors"
        first.train(*options, "--steps", "10", "--save", file)
        rest = second.train(*options, "--steps", "10", "--load", file)
        if training.largest_difference(rest, expected[10:]) > TOLERANCE:
            yield f"{name}: {rest}, not {expected[10:]}"


def failures_of_a_kill(tools, program, options):
    """Yields what is wrong with the end of a run of which a rank is killed."""
    run = subprocess.Popen([tools.sbprun, "-n", str(program.ranks), program.path, "--json",
                            *options, "--steps", "1000000"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    for _ in range(3):  # steps
        run.stdout.readline()
    ranks = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    os.kill(int(ranks[-1]), signal.SIGKILL)
    _, said = run.communicate(timeout=60)
    if run.returncode == 0 or f"pid {ranks[-1]}) died" not in said:
        yield f"rank with pid {ranks[-1]} killed: exits with {run.returncode}: {said}"
    for rank in ranks:
        if os.path.exists(f"/proc/{rank}"):
            yield f"a rank has been killed, and {rank} is left"


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    options = ["--text", tools.text, "--lr", "0.01", "--seed", "7"]
    one = compiled(tools, folder, "one", [], 1, "-n", "1")
    expected = one.train(*options, "--steps", "20")
    failures = []
    for cut, ranks, schedule, parts in cases(folder):
        pipes = compiled(tools, folder, "pipes", cut, ranks, "--schedule", schedule,
                         *parts)
        losses = pipes.train(*options, "--steps", "20")
        difference = training.largest_difference(losses, expected)
        print(f"{schedule} {parts}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"{schedule}: {losses}, not {expected}")
    failures += failures_of_transports(pipes, [*options, "--steps", "20"], losses)
    failures += failures_of_a_kill(tools, pipes, options)
    failures += failures_of_checkpoints(one, pipes, folder, options, expected)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
