#!/usr/bin/python3
"""Programs for GPUs train by NCCL as programs for CPUs do, within a host and between hosts.

A stand-in for NCCL carries the collectives. It adds up in another order than GPUs that read each
other's memory, so the losses of 20 steps agree within 1e-5, relative, with those of a CPU. Parts
are even and uneven, along outer and inner dimensions, and in buckets; halos are exchanged;
stages send messages. With an old NCCL, or a GPU that ranks share, one line says what to do.
"""

import re
import sys

import gpu
import training

TOLERANCE = 1e-5
STEPS = ["--steps", "20", "--lr", "1e-3", "--seed", "7"]
# Plans of the GPT, their meshes, and the number of ranks.
PLANS = [("data-parallel", "3", 3), ("data-megatron", "2x2", 4), ("zero", "3", 3),
         ("2.5d", "2x2", 4)]
NCCL = ["--collectives", "nccl"]


def main():
    tools = gpu.parse_tools("cnn", "text")
    folder = training.scratch()
    text = ["--text", tools.text, *STEPS]
    check_plans(tools, folder, text)
    check_halos(tools, folder)
    check_stages(tools, folder, text)
    check_refusals(tools, folder, text)


def check_plans(tools, folder, options):
    extents = ["--layers", "1", *gpu.SMALL_GPT]
    expected = on_cpu(tools, folder, written(tools.generator, folder, *extents), options)
    for plan, mesh, ranks in PLANS:
        model = written(tools.generator, folder, *extents, "--plan", plan, "--mesh", mesh)
        program = gpu.GpuProgram(tools, folder / plan, model)
        check(f"{plan} on {mesh}", program.train(ranks, *options, *NCCL), expected)
        if plan == "data-megatron":
            check_hosts(program, options, expected)


def check_hosts(program, options, expected):
    """Between two hosts collectives go by NCCL, and within each GPUs read each other's memory."""
    result = program.start_on_hosts(4, 2, "--json", *options)
    check("2 hosts of 2 GPUs", gpu.values(result, "loss"), expected)
    if "memory" in result.stderr:
        sys.exit(f"2 hosts of 2 GPUs: {result.stderr}")
    old = program.start_on_hosts(4, 2, "--json", *options, nccl_version=21700)
    check("2 hosts with an old NCCL", gpu.values(old, "loss"), expected)
    if not re.search("note: collectives between hosts go through their memory: .*is NCCL "
                     "2.17.0, which is too old; 2.18.0 or newer serves\n", old.stderr):
        sys.exit(f"2 hosts with an old NCCL: {old.stderr}")


def check_halos(tools, folder):
    extents = ["--batch", "4", "--extent", "8", "--width", "4", "--stages", "2", "--classes", "5"]
    options = [*training.write_images(folder, 8, 8, 5), *STEPS]
    expected = on_cpu(tools, folder, written(tools.cnn, folder, *extents), options)
    model = written(tools.cnn, folder, *extents, "--plan", "space", "--mesh", "2")
    program = gpu.GpuProgram(tools, folder / "rows", model)
    check("halos", program.train(2, *options, *NCCL), expected)


def check_stages(tools, folder, options):
    """Stages send messages to each other, to groups of other sizes, and to themselves."""
    extents = ["--layers", "2", *gpu.SMALL_GPT]
    expected = on_cpu(tools, folder, written(tools.generator, folder, *extents), options)
    for groups, plan, ranks in (("1,1", "none", 2), ("1,2", "data-parallel", 3)):
        model = written(tools.generator, folder, *extents, "--stages", "1,1", "--groups", groups,
                        "--plan", plan)
        for schedule in "1f1b", "chimera":
            if schedule == "chimera" and ranks > 2:
                continue
            program = gpu.GpuProgram(tools, folder / "stages", model, "--micro-batches", "2",
                                     "--schedule", schedule)
            check(f"stages on {groups} by {schedule}", program.train(ranks, *options, *NCCL),
                  expected)


def check_refusals(tools, folder, options):
    model = written(tools.generator, folder, *gpu.SMALL_GPT, "--layers", "1", "--plan",
                    "data-parallel", "--mesh", "2")
    program = gpu.GpuProgram(tools, folder / "refused", model)
    for what, settings, error in [
            ("an old NCCL", {"nccl_version": 2708},
             "libnccl.so.2 is NCCL 2.7.8, which is too old; 2.18.0 or newer serves"),
            ("a shared GPU", {"gpus": 1},
             "ranks 0 and 1 share a GPU, which NCCL 2.28.9 does not permit; NCCL 2.30.0 or newer "
             "does, and so do other --collectives")]:
        result = program.start(2, *options, *NCCL, "--share-gpu", **settings)
        if result.returncode != 1 or not result.stderr.endswith(f"error: {error}\n"):
            sys.exit(f"{what}: exit status {result.returncode}, {result.stderr}")
    program.train(2, *options, *NCCL, "--share-gpu", gpus=1, nccl_version=23007)


def written(generator, folder, *extents):
    """Returns the file of a model that a script writes."""
    model = folder / "model.mlir"
    training.run(generator, *extents, "-o", model)
    return model


def on_cpu(tools, folder, model, options):
    return training.Program.compiled(tools, folder / "cpu", model, "-n", 1).train(*options)


def check(what, ours, expected):
    difference = training.largest_difference(ours, expected)
    print(f"{what}: largest relative difference {difference:.2g}")
    if difference > TOLERANCE:
        sys.exit(f"{what}: {ours}, but a CPU gives {expected}")


if __name__ == "__main__":
    main()
