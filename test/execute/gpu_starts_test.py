#!/usr/bin/python3
"""A program for GPUs that cannot run says in one line why, and what to do.

What it saves, a program for CPUs loads, and the other way round.
"""

import re
import subprocess
import sys

import gpu
import training

MODEL = ["--layers", "1", *gpu.SMALL_GPT, "--plan", "data-parallel", "--mesh", "2"]

# What is wrong, settings of the stand-in, and the error.
REFUSALS = [
    ("no GPU", {"gpus": 0}, "this program runs on GPUs, but NVIDIA's driver finds no GPU; is "
                            r"CUDA_VISIBLE_DEVICES set to what this machine has\?"),
    ("two ranks on one GPU", {"gpus": 1},
     r"ranks 0 and 1 both run on Stand-in \(sm_90, GPU-0+\); start one rank per GPU \(each has "
     r"a LOCAL_RANK or its own CUDA_VISIBLE_DEVICES\), or let ranks share GPUs by --share-gpu"),
    ("an old chip", {"chip": 75},
     r"rank 0: the program is for sm_80, but this GPU is Stand-in \(sm_75, GPU-0+\); sbpc --gpu "
     "compiles for another one, sm_80 for any that is supported"),
    ("an old driver", {"driver": 10020},
     "NVIDIA's driver supports CUDA 10.2, which is too old for kernels for sm_80; update the "
     "driver, or compile with --gpu sm_80"),
    ("too little memory", {"memory": 10000},
     r"this rank needs \d+ KB on its GPU, of which 10 KB of 10 KB are free; sbpc --memory-limit "
     "makes a program that needs less, and so do more ranks"),
]


def main():
    tools = gpu.parse_tools("text")
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *MODEL, "-o", model)
    program = gpu.GpuProgram(tools, folder / "gpt", model)
    options = ["--text", tools.text, "--steps", "2"]
    for what, settings, error in REFUSALS:
        expect_refusal(what, program.start(2, *options, **settings), error)
    check_other_chips(folder, tools, model, options)
    check_assembled(folder, tools, model, options)
    if "--share-gpu" not in program.start(2, "--help").stdout:
        sys.exit("--help does not have --share-gpu")
    shared = program.start(2, *options, "--share-gpu", gpus=1)
    if shared.returncode != 0:
        sys.exit(f"--share-gpu: {shared.stderr}")
    check_without_peers(program, options)
    cpu = training.Program.compiled(tools, folder / "cpu", model)
    check_norms(cpu, program, options)
    check_checkpoints(folder, cpu, program, ["--text", tools.text])


def expect_refusal(what, result, error):
    lines = result.stderr.splitlines()
    if (result.returncode != 1 or len(lines) != 1
            or not re.fullmatch(f"error: {error}", lines[0])):
        sys.exit(f"{what}: exit status {result.returncode}, {result.stderr}")
    print(f"{what}: {lines[0]}")


def check_other_chips(folder, tools, model, options):
    """A program for one chip runs on all later ones, and on others that are supported."""
    program = gpu.GpuProgram(tools, folder / "hopper", model, "--gpu", "sm_90a")
    for chip in 90, 80, 100:
        result = program.start(2, *options, chip=chip)
        if result.returncode != 0:
            sys.exit(f"a program for sm_90a on sm_{chip}: {result.stderr}")
    expect_refusal("a chip too old for a program for two", program.start(2, *options, chip=75),
                   r"rank 0: the program is for sm_90a and sm_80, but this GPU is .*")


def check_assembled(folder, tools, model, options):
    """Machine code of ptxas is in the program, and PTX too, for drivers that do not take it."""
    ptxas = folder / "ptxas"
    written(ptxas, 'while [ "$1" != -o ]; do shift; done; printf "\\177ELF of ptxas" > "$2"')
    program = gpu.GpuProgram(tools, folder / "assembled", model, "--ptxas", ptxas)
    if program.path.read_bytes().count(b"\x7fELF of ptxas") != 1:
        sys.exit("the program has no machine code")
    result = program.start(2, *options)
    if result.returncode != 0:
        sys.exit(f"a program with machine code: {result.stderr}")
    compiled = [tools.sbpc, model, "--target", "cuda", "-o", folder / "none", "--ptxas"]
    training.run(*compiled, "none")
    if b"\x7fELF of ptxas" in (folder / "none").read_bytes():
        sys.exit("--ptxas none: the program has machine code")
    written(ptxas, "echo no such chip >&2; exit 255")
    for name, error in ((ptxas, f"{ptxas} fails: no such chip; --ptxas none leaves"),
                        ("nothing", "--ptxas nothing: there is no such program; none leaves")):
        result = subprocess.run([str(word) for word in [*compiled, name]],
                                stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode != 1 or f"{error} the kernels to NVIDIA's driver" not in result.stderr:
            sys.exit(f"--ptxas {name}: exit status {result.returncode}, {result.stderr}")


def written(path, commands):
    """Writes a script for a shell."""
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(0o755)


def check_without_peers(program, options):
    """Ranks that do not reach each other's memory say so, and go on through the hosts' memory."""
    obstacle = ("rank 0 does not reach the memory of rank 1: cuIpcOpenMemHandle failed: "
                r"CUDA_ERROR_INVALID_CONTEXT \(201\): CUDA_ERROR_INVALID_CONTEXT")
    expect_refusal("--collectives peer without peers",
                   program.start(2, *options, "--collectives", "peer", peers=0), obstacle)
    result = program.start(2, *options, peers=0)
    note = f"note: collectives go through the memory of the host: {obstacle}\n"
    if result.returncode != 0 or not re.search(note, result.stderr):
        sys.exit(f"without peers: exit status {result.returncode}, {result.stderr}")


def check_norms(cpu, program, options):
    """The norm of the gradients, which GPUs add up themselves, is that of CPUs."""
    difference = training.largest_difference(
        program.train(2, *options, value="gradient_norm"),
        cpu.train(*options, value="gradient_norm"))
    print(f"norms: largest relative difference {difference:.2g}")
    if difference > 1e-5:
        sys.exit("the norms of the gradients differ")


def check_checkpoints(folder, cpu, program, text):
    """Training that changes the target goes on as if it had not."""
    file = folder / "half.safetensors"
    options = [*text, "--seed", "7", "--lr", "1e-3"]
    expected = cpu.train(*options, "--steps", "8")
    for first, then in ((cpu_on_two(cpu), program.train), (program.train, cpu_on_two(cpu))):
        losses = first(2, *options, "--steps", "4", "--save", file)
        losses += then(2, *text, "--steps", "4", "--load", file)
        difference = training.largest_difference(losses, expected)
        print(f"checkpoints: largest relative difference {difference:.2g}")
        if difference > 1e-5:
            sys.exit(f"{losses}, but {expected} expected")


def cpu_on_two(program):
    return lambda ranks, *options: program.train(*options)


if __name__ == "__main__":
    main()
