#!/usr/bin/python3
"""Programs for GPUs train as programs for CPUs do.

The programs are those that users get. A stand-in for NVIDIA's driver, which they find by
LD_LIBRARY_PATH, runs their kernels on this CPU (codegen/cuda/testing/driver).
"""

import json
import os
import sys

import training

TOLERANCE = 1e-5
STEPS = 20
GPT = ["--layers", "1", "--width", "16", "--heads", "2", "--vocabulary", "33", "--batch", "4",
       "--sequence", "8"]


def main():
    tools = training.parse_tools("mlp", "driver", "append")
    folder = training.scratch()
    (folder / "driver").mkdir()
    os.symlink(tools.driver, folder / "driver" / "libcuda.so.1")
    gpt = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, "-o", gpt)
    for name, model in (("mlp", tools.mlp), ("gpt", gpt)):
        losses = {}
        for target in ("cpu", "cuda"):
            program = folder / f"{name}-{target}"
            options = [model, "-n", "1", "--target", target]
            training.run(tools.sbpc, *options, "-o", program)
            if target == "cuda":
                kernels = folder / f"{name}.ll"
                training.run(tools.sbpc, *options, "--emit", "llvm", "-o", kernels)
                training.run(tools.append, program, kernels)
                os.environ["LD_LIBRARY_PATH"] = str(folder / "driver")
            lines = training.run(program, "--steps", STEPS, "--json").splitlines()
            losses[target] = [json.loads(line)["loss"] for line in lines]
            os.environ.pop("LD_LIBRARY_PATH", None)
        difference = training.largest_difference(losses["cuda"], losses["cpu"])
        print(f"{name}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            sys.exit(f"{name}: {losses}")


if __name__ == "__main__":
    main()
