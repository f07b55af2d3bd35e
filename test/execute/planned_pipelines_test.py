#!/usr/bin/python3
"""`sbpc --plan` makes a pipeline where one is faster, and it trains as one rank does.

A GPT is planned for machines of four devices. Where links between nodes are slow, or where the
model fits into the memory of the devices in no other way, the program is a pipeline; where links
are fast, it is none; where the links within nodes are slow, it runs along these. The losses of
20 steps agree with those of one rank within 1e-5, relative. The options that the remark names
make the same program. No plan is slower than pipelines by hand of the same machine, by more than
5 %. Where nothing fits, a remark names the least memory; with half as much again, there is a plan.
"""

import itertools
import re
import subprocess
import sys

import training

TOLERANCE = 1e-5
GPT = ["--layers", 3, "--width", 64, "--heads", 4, "--vocabulary", 256, "--batch", 8,
       "--sequence", 32]
OPTIONS = ["--steps", "20", "--lr", "0.01", "--seed", "7"]
# Of each machine: alpha and beta between two nodes and within a node, and a device's memory.
FAST = ("1.0e-6", "1.0e-11")
MACHINES = {"slow": (("1.0e-5", "2.0e-9"), FAST, "16GB"),
            "fast": (("1.0e-5", "1.0e-11"), FAST, "16GB"),
            "small": (("1.0e-5", "1.0e-10"), FAST, "1.4MB"),
            "inner": (FAST, ("1.0e-5", "2.0e-9"), "16GB")}
PIPELINES = {"slow", "small", "inner"}
# The pipeline of this machine runs along its inner level.
INNER = "inner"
BY_HAND = [("--stages", stages, "--micro-batches", count, "--schedule", family)
           for stages, count, family in itertools.product((2, 4), (2, 4, 8), ("1f1b", "zb-h1"))]
INNER_BY_HAND = [("--stages", 2, "--groups", "1x2", "--micro-batches", count, "--schedule", family)
                 for count, family in itertools.product((2, 4, 8), ("1f1b", "zb-h1"))]
SLOWER = 1.05
TOO_LITTLE = "400KB"
MORE_THAN_NAMED = 1.5  # the memory that is named is an estimate
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
SIZES = {"KB": 1e3, "MB": 1e6, "GB": 1e9}


def machine(folder, name):
    (alpha, beta), (inner_alpha, inner_beta), memory = MACHINES[name]
    path = folder / f"{name}.machine.mlir"
    path.write_text(
        f'sbp.machine @{name} [#sbp.level<"node" x 2, alpha = {alpha}, beta = {beta}>, '
        f'#sbp.level<"device" x 2, alpha = {inner_alpha}, beta = {inner_beta}>] '
        f"device #sbp.device<kind = cpu, memory = {memory}, bandwidth = 1.0e11, "
        "rates = [#sbp.rate<f32, 1.0e11>]>\n")
    return path


def seconds(explanation):
    """Returns the time of a training step by an explanation; infinite if there is none."""
    found = re.search(r"@train_step: ([\d.e-]+) (us|ms|s)\b", explanation)
    return float(found[1]) * UNITS[found[2]] if found else float("inf")


def explained(tools, *options):
    """Returns the explanation of a model, and what sbpc remarks. Both are empty of plans that do
    not fit."""
    result = subprocess.run([str(word) for word in (tools.sbpc, "explain", *options)],
                                     stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, check=False)
    return result.stdout, result.stderr


def failures_of(tools, folder, name, model, expected):
    on = ["--machine", machine(folder, name)]
    explanation, remarks = explained(tools, model, *on, "--plan")
    planned = seconds(explanation)
    by_hand = INNER_BY_HAND if name == INNER else BY_HAND
    best = min(seconds(explained(tools, model, *on, *options)[0]) for options in [(), *by_hand])
    made = re.search(r"(--stages \d+ --groups \S+ --micro-batches \d+ --schedule \S+(?: --keep \S+)?) makes",
                     remarks)
    print(f"{name}: {planned:.6f} s by {made and made[1]}, {best:.6f} s by hand")
    if planned > SLOWER * best:
        yield f"{name}: {planned} s, but {best} s by hand"
    if (made is not None) != (name in PIPELINES):
        yield f"{name}: {remarks}"
    if ("--groups 1x2" in remarks) != (name == INNER):
        yield f"{name}: the pipeline runs along another level: {remarks}"
    program = training.Program.compiled(tools, folder / name, model, *on, "--plan")
    losses = program.train("--text", tools.text, *OPTIONS)
    difference = training.largest_difference(losses, expected)
    print(f"{name}: largest relative difference {difference:.2g}")
    if difference > TOLERANCE:
        yield f"{name}: {losses}, not {expected}"
    if made:
        forms = [training.run(tools.sbpc, model, *on, *options, "--emit", "placed")
                 for options in (["--plan"], made[1].split())]
        if forms[0] != forms[1]:
            yield f"{name}: {made[1]} makes another program"


def failures_without_memory(tools, folder, model):
    on = [model, "--machine", machine(folder, "small"), "--plan"]
    _, remarks = explained(tools, *on, "--memory", TOO_LITTLE)
    least = re.search(r"the least memory that one needs is about ([\d.]+) (KB|MB|GB): ", remarks)
    if not least:
        yield f"the least memory is not named: {remarks}"
        return
    enough = MORE_THAN_NAMED * float(least[1]) * SIZES[least[2]]
    explanation, remarks = explained(tools, *on, "--memory", int(enough))
    if not explanation:
        yield f"{enough} bytes do not suffice: {remarks}"


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, "-o", model)
    one = training.Program.compiled(tools, folder / "one", model, "-n", 1)
    expected = one.train("--text", tools.text, *OPTIONS)
    failures = [failure for name in MACHINES
                for failure in failures_of(tools, folder, name, model, expected)]
    failures += failures_without_memory(tools, folder, model)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
