#!/usr/bin/python3
"""A deeper model has more tasks but no more kernels, so the time to compile hardly grows."""

import json
import sys

import training


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    shallow, deep = (plan_of(tools, folder, layers) for layers in (2, 12))

    tasks = [len(plan["programs"][0]["entries"][0]["tasks"]) for plan in (shallow, deep)]
    print(f"{len(shallow['kernels'])} kernels; tasks of 2 and of 12 layers: {tasks}")
    if deep["kernels"] != shallow["kernels"]:
        sys.exit(f"2 layers have the kernels {shallow['kernels']}, "
                 f"12 layers {deep['kernels']}")
    if tasks[1] < 3 * tasks[0]:
        sys.exit(f"12 layers have hardly more tasks than 2: {tasks}")


def plan_of(tools, folder, layers):
    model = folder / "gpt.mlir"
    training.run(tools.generator, "--layers", layers, "-o", model)
    return json.loads(training.run(tools.sbpc, model, "-n", "2", "--emit", "plan"))


if __name__ == "__main__":
    main()
