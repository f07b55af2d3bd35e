#!/usr/bin/python3
"""Programs for GPUs train as programs for CPUs do, on any number of ranks.

The models are a GPT, an MLP, a residual CNN and a VGG, on 1 rank, 2 x 2 ranks, 4 ranks, and 3
ranks, which do not divide the extents, and a GPT in two stages. Each rank is a process with a
GPU, which a stand-in for NVIDIA's driver simulates. The losses of 20 steps agree within 1e-5,
relative, with those of 1 rank on CPUs, and are the same bits whether GPUs read each other's
memory or collectives are staged. Those of a GPT that computes in bf16 on GPUs, and in f32
on a CPU, agree within 5e-3.
"""

import math
import random
import re
import sys

import gpu
import training

TOLERANCE = 1e-5
BF16_TOLERANCE = 5e-3
STEPS = ["--steps", "20", "--lr", "1e-3", "--seed", "7"]
# Devices so slow that the search splits the work over all of them.
MESHES = {
    "1": "",
    "2x2": '#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>, '
           '#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>',
    "3": '#sbp.level<"gpu" x 3, alpha = 1.0e-6, beta = 1.0e-10>',
    "4": '#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>',
}
MODELS = {
    "gpt": ["--layers", "1", *gpu.SMALL_GPT],
    "cnn": ["--batch", "4", "--extent", "8", "--width", "4", "--stages", "2",
            "--classes", "5"],
    "vgg": ["--layers", "11", "--batch", "4", "--extent", "32", "--divisor", "32",
            "--classes", "5"],
    "mlp": [],
}
# The meshes on which GPUs run each model.
RUNS = {"gpt": ["1", "2x2", "3"], "cnn": ["1", "3"], "vgg": ["2x2"], "mlp": ["1", "4"]}


def main():
    tools = gpu.parse_tools("cnn", "vgg", "mlp", "text")
    folder = training.scratch()
    text = ["--text", tools.text]
    data = {"gpt": text, "cnn": training.write_images(folder, 8, 8, 5), "mlp": mnist(folder)}
    for name, extents in MODELS.items():
        if name == "vgg":
            data[name] = training.write_images(folder, 8, 32, 5)
        model = generated(tools, folder, name, extents)
        options = [*data[name], *STEPS]
        expected = on_cpu(tools, folder, model, options)
        for mesh in RUNS[name]:
            program = gpu.GpuProgram(tools, folder / f"{name}-{mesh}", model,
                                     *placement(tools, folder, model, mesh))
            check(f"{name} on {mesh}", losses(program, math.prod(map(int, mesh.split("x"))),
                                              options), expected, TOLERANCE)
    check_seeds(tools, folder, [*text, *STEPS])
    check_stages(tools, folder, [*text, *STEPS])
    check_bf16(tools, folder, [*text, *STEPS])


def losses(program, ranks, options, way="peer"):
    """Returns the losses of a program, which are the same bits whichever way collectives go."""
    by_peers = program.train(ranks, *options, "--collectives", way)
    if ranks > 1:
        staged = program.train(ranks, *options, "--collectives", "staged")
        if staged != by_peers:
            sys.exit(f"{program.path.name}: {by_peers}, but staged {staged}")
    return by_peers


def check_seeds(tools, folder, options):
    """A program computes the same bits whenever a GPU does the work of its stream."""
    model = generated(tools, folder, "gpt", MODELS["gpt"])
    program = gpu.GpuProgram(tools, folder / "seeds", model,
                             *placement(tools, folder, model, "3"))
    runs = [program.train(3, *options, seed=seed) for seed in range(5)]
    if any(run != runs[0] for run in runs):
        sys.exit(f"losses differ between seeds of the stream: {runs}")


def check_stages(tools, folder, options):
    model = generated(tools, folder, "gpt", ["--layers", "2", *gpu.SMALL_GPT, "--stages", "1,1"])
    expected = on_cpu(tools, folder, model, options, ranks=2)
    for schedule in ("1f1b", "chimera", "1f1b --execute messages"):
        program = gpu.GpuProgram(tools, folder / "stages", model, "--micro-batches", "2",
                                 "--schedule", *schedule.split())
        # Where messages decide, GPUs do not read what others send.
        way = "auto" if "messages" in schedule else "peer"
        check(f"gpt in two stages, {schedule}", losses(program, 2, options, way), expected,
              TOLERANCE)


def check_bf16(tools, folder, options):
    expected = on_cpu(tools, folder, generated(tools, folder, "gpt", MODELS["gpt"]), options)
    model = generated(tools, folder, "gpt", [*MODELS["gpt"], "--compute", "bf16"])
    for mesh in ("2x2", "3"):
        program = gpu.GpuProgram(tools, folder / f"bf16-{mesh}", model,
                                 *placement(tools, folder, model, mesh))
        check(f"gpt in bf16 on {mesh}",
              losses(program, math.prod(map(int, mesh.split("x"))), options), expected,
              BF16_TOLERANCE)


def generated(tools, folder, name, extents):
    """Returns the file of a model."""
    if name == "mlp":
        return tools.mlp
    model = folder / f"{name}.mlir"
    generator = tools.generator if name == "gpt" else getattr(tools, name)
    training.run(generator, *extents, "-o", model)
    return model


def mnist(folder):
    """Returns the options that train the MLP on random images."""
    numbers = random.Random(1)
    images = [numbers.gauss(0, 1) for _ in range(128 * 784)]
    labels = [numbers.randrange(10) for _ in range(128)]
    return [*training.write_data(folder, "image", "f", (128, 784), images),
            *training.write_data(folder, "label", "i", (128,), labels)]


def on_cpu(tools, folder, model, options, ranks=1):
    """Returns the losses of the model on CPUs, which must fall."""
    program = training.Program.compiled(tools, folder / "cpu", model, "-n", ranks)
    expected = program.train(*options)
    if expected[-1] >= expected[0]:
        sys.exit(f"{model}: the loss does not fall: {expected}")
    return expected


def placement(tools, folder, model, mesh):
    """Returns the options by which ranks of the mesh share the work."""
    if not MESHES[mesh]:
        return ["-n", "1"]
    machine = folder / f"{mesh}.machine.mlir"
    machine.write_text(
        f"sbp.machine @nodes [{MESHES[mesh]}] device #sbp.device<kind = gpu, "
        "memory = 16GB, bandwidth = 1.0e8, rates = [#sbp.rate<f32, 1.0e8>]>\n")
    options = ["--machine", machine]
    local = training.run(tools.sbpc, model, *options, "--target", "cuda", "--emit", "local",
                         "-o", "-")
    if not re.search(r"rank\.(all|reduce)_", local):
        sys.exit(f"{model} on {mesh}: ranks do not share the work")
    return options


def check(what, ours, expected, tolerance):
    difference = training.largest_difference(ours, expected)
    print(f"{what}: largest relative difference {difference:.2g}")
    if difference > tolerance:
        sys.exit(f"{what}: {ours}, but CPUs give {expected}")


if __name__ == "__main__":
    main()
