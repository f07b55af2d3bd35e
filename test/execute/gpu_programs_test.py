#!/usr/bin/python3
"""Kernels for GPUs train a model as kernels for CPUs do, on any number of ranks.

The models are a GPT, an MLP, a residual CNN and a VGG. GPUs run each on two or all of 1 rank,
2 x 2 ranks, and 3 ranks, which do not divide the extents; each of their threads is a fibre on
this CPU. After each of 3 steps the losses agree within 1e-5, relative, with those of 1 rank on
CPUs. Those of a GPT that computes in bf16 on GPUs, and in f32 on a CPU, agree within 5e-3.
"""

import re
import sys

import training

STEPS = 3
BF16_TOLERANCE = 5e-3
# Devices so slow that the search splits the work over all of them.
MESHES = {
    "1": "",
    "2x2": '#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>, '
           '#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>',
    "3": '#sbp.level<"gpu" x 3, alpha = 1.0e-6, beta = 1.0e-10>',
}
MODELS = {
    "gpt": ["--layers", "1", "--width", "16", "--heads", "2", "--vocabulary", "33",
            "--batch", "4", "--sequence", "8"],
    "cnn": ["--batch", "4", "--extent", "8", "--width", "4", "--stages", "2",
            "--classes", "5"],
    "vgg": ["--layers", "11", "--batch", "4", "--extent", "32", "--divisor", "32",
            "--classes", "5"],
    "mlp": [],
}
# The meshes on which GPUs run each model.
RUNS = {"gpt": ["1", "2x2", "3"], "cnn": ["1", "3"], "vgg": ["1", "2x2"], "mlp": ["1", "3"]}


def main():
    tools = training.parse_tools("cnn", "vgg", "mlp", "compare")
    folder = training.scratch()
    for name, extents in MODELS.items():
        model = folder / f"{name}.mlir"
        if name == "mlp":
            model.write_text(open(tools.mlp, encoding="utf-8").read())
        else:
            generator = tools.generator if name == "gpt" else getattr(tools, name)
            training.run(generator, *extents, "-o", model)
        # CPUs run the first of them.
        local = [local_form(tools, folder, model, mesh, MESHES[mesh]) for mesh in RUNS[name]]
        print(training.run(tools.compare, STEPS, *local))
    compare_bf16(tools, folder)


def compare_bf16(tools, folder):
    model = folder / "gpt-bf16.mlir"
    training.run(tools.generator, *MODELS["gpt"], "--compute", "bf16", "-o", model)
    local = [local_form(tools, folder, model, mesh, MESHES[mesh]) for mesh in ("2x2", "3")]
    print(training.run(tools.compare, STEPS, *local, "--on-cpus", folder / "gpt-1.local.mlir",
                       "--within", BF16_TOLERANCE))


def local_form(tools, folder, model, mesh, levels):
    """Returns the local form of the model, in which the ranks share the work."""
    placement = ["-n", "1"]
    if levels:
        machine = folder / f"{mesh}.machine.mlir"
        machine.write_text(
            f"sbp.machine @nodes [{levels}] device #sbp.device<kind = gpu, "
            "memory = 16GB, bandwidth = 1.0e8, rates = [#sbp.rate<f32, 1.0e8>]>\n")
        placement = ["--machine", machine]
    local = folder / f"{model.stem}-{mesh}.local.mlir"
    training.run(tools.sbpc, model, *placement, "--target", "cuda", "--emit", "local",
                 "-o", local)
    if levels and not re.search(r"rank\.(all|reduce)_", local.read_text()):
        sys.exit(f"{local.name}: ranks do not share the work")
    return local


if __name__ == "__main__":
    main()
