#!/usr/bin/python3
"""When a rank on a GPU dies, stops, hangs or fails, the others name it and all ranks end.

Ranks wait in collectives by all ways: GPUs that read each other's memory, staged ones, and NCCL. A
rank is killed; its process is stopped; a kernel of it never ends; a kernel of it accesses memory
that is not there.
"""

import os
import pathlib
import re
import signal
import sys
import time

import gpu
import training

MODEL = ["--layers", "1", *gpu.SMALL_GPT, "--plan", "data-parallel", "--mesh", "3"]
STAGES = ["--layers", "2", *gpu.SMALL_GPT, "--stages", "1,1"]
# Exit statuses of the launcher, for a rank that failed, and for one that others have ended.
FAILED = (1, 3, 137)
LAUNCH = "1:400"  # of rank 1, in a later step
MOST_SECONDS = 30


def main():
    tools = gpu.parse_tools("text")
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *MODEL, "-o", model)
    program = gpu.GpuProgram(tools, folder / "gpt", model)
    options = ["--text", tools.text, "--steps", "1000000", "--wait-timeout", "2"]
    failures = []
    for way in "peer", "staged", "nccl":
        ours = [*options, "--collectives", way]
        failures += [f"{way}, {failure}" for failure in [
            *after_a_signal("killed", signal.SIGKILL, r"rank {} \(.*pid {}\) died", program, ours),
            *after_a_signal("stopped", signal.SIGSTOP, r"rank {} \(.*pid {}\) (stalled|has)",
                            program, ours),
            *in_a_kernel("hangs", r"rank 1 \(.*\) has not come to (.* over data|exchange)",
                         program, ours,
                         hang=LAUNCH),
            *in_a_kernel("fails", r"rank 1 \(.*\) failed: .*CUDA_ERROR_ILLEGAL_ADDRESS \(700\)",
                         program, ours, error=LAUNCH)]]
    failures += names_of_kernels(program, options)
    failures += in_a_pipeline(tools, folder, options)
    sys.exit("\n".join(failures) or None)


def after_a_signal(what, number, error, program, options):
    """Sends a signal to a rank. Yields what is wrong with the end of the run."""
    os.environ["SBP_HEARTBEAT_TIMEOUT"] = "1"  # less than the time of a wait
    run = program.begin(3, *options, "--json")
    del os.environ["SBP_HEARTBEAT_TIMEOUT"]
    for _ in range(2):  # steps
        run.stdout.readline()
    ranks = children(run.pid)
    os.kill(ranks[-1], number)
    yield from end(what, run, error.format(".", ranks[-1]), ranks)


def in_a_kernel(what, said, program, options, **fault):
    run = program.begin(3, *options, "--json", **fault)
    run.stdout.readline()
    yield from end(what, run, said, children(run.pid))


def end(what, run, error, ranks):
    begin = time.monotonic()
    _, said = run.communicate(timeout=120)
    seconds = time.monotonic() - begin
    print(f"{what}: exit status {run.returncode} after {seconds:.1f} s: {said.splitlines()[-1]}")
    if run.returncode not in FAILED or not re.search(error, said):
        yield f"{what}: exit status {run.returncode}, {said}"
    if seconds > MOST_SECONDS:
        yield f"{what}: ranks end after {seconds} s"
    for rank in ranks:
        if os.path.exists(f"/proc/{rank}"):
            yield f"{what}: process {rank} is left"


def names_of_kernels(program, options):
    """With --profile, which waits for each kernel, the error names the kernel that failed."""
    result = program.start(3, *options, "--profile", error=LAUNCH)
    if not re.search(r"error: (rank 1 .* failed: )?[\w ]+: .*CUDA_ERROR_ILLEGAL_ADDRESS \(700\)", result.stderr):
        yield f"--profile: {result.stderr}"


def in_a_pipeline(tools, folder, options):
    """A stage that waits for what another one computes names the rank whose kernel hangs."""
    model = folder / "stages.mlir"
    training.run(tools.generator, *STAGES, "-o", model)
    program = gpu.GpuProgram(tools, folder / "stages", model, "--micro-batches", "2",
                             "--schedule", "1f1b")
    run = program.begin(2, *options, "--collectives", "peer", "--json", hang=LAUNCH)
    run.stdout.readline()
    yield from end("hangs in a pipeline", run,
                   r"rank 1 \(.*\) has not .*(receive of|send of|agreement)", children(run.pid))


def children(process):
    words = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(word) for word in words]


if __name__ == "__main__":
    main()
