#!/usr/bin/python3
"""The ranks compute the same under plans that are searched for any machine.

One GPT is compiled for 12 machines of 4 devices, whose links, devices and memory differ so much
that the search finds different plans. 20 steps of AdamW under each plan agree with 1 rank within
1e-5, relative.
"""

import itertools
import json
import re
import subprocess
import sys

import training

TOLERANCE = 1e-5
# The search must find at least as many different plans.
LEAST_PLANS = 8

MACHINE = """
sbp.machine @machine [{levels}]
    device #sbp.device<memory = {memory}, bandwidth = {bandwidth},
                       rates = [#sbp.rate<f32, {rate}>]>
"""
LEVEL = '#sbp.level<"{name}" x {count}, alpha = {alpha}, beta = {beta}>'


def links():
    """Returns (name, count, alpha, beta) of each level."""
    for alpha, beta in [(0.0, 1e-8), (1e-4, 1e-9)]:
        yield [("rank", 4, alpha, beta)]
        yield [("node", 2, alpha, beta), ("gpu", 2, alpha, beta)]
        yield [("node", 2, alpha, beta * 50), ("gpu", 2, alpha / 10, beta)]


def machines():
    """Returns two machines per network: with slow and with fast devices."""
    for levels, rate in itertools.product(links(), [1e9, 1e12]):
        text = ", ".join(LEVEL.format(name=name, count=count, alpha=f"{alpha:.3e}",
                                      beta=f"{beta:.3e}")
                         for name, count, alpha, beta in levels)
        yield MACHINE.format(levels=text, memory="1.0e9", rate=f"{rate:.3e}",
                             bandwidth=f"{rate / 10:.3e}")


def placed_within(tools, model, file, memory):
    """Returns the messages and output of sbpc for a machine with this memory limit."""
    return subprocess.run([tools.sbpc, model, "--machine", file, "--memory", str(memory),
                           "--emit", "placed"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def least_memory(tools, model, file):
    """Returns the bytes of the smallest plan that is found for a machine."""
    refused = placed_within(tools, model, file, 1)
    assert refused.returncode != 0
    return int(re.search(r"the smallest found takes .*\((\d+) bytes\)",
                         refused.stderr).group(1))


def placed_with_less_memory(tools, model, file, least):
    """Returns the placed form for a memory limit below the memory of the machine's plan,
    by a quarter of the difference between that and `least`; or None if no plan is found
    within it."""
    report = json.loads(training.run(tools.sbpc, "explain", model, "--machine", file,
                                     "--json"))
    free = int(max(entry["memory"]["bytes"] for entry in report["entries"]))
    assert least < free, f"the smallest plan takes {least} bytes, the fastest {free}"
    limited = placed_within(tools, model, file, (least + 3 * free) // 4)
    if limited.returncode == 0:
        return limited.stdout
    assert "no plan is found" in limited.stderr
    return None


def plan_of(placed):
    """Returns the placements of a program in the placed form, without the machine."""
    return "\n".join(line for line in placed.splitlines()
                     if "sbp.machine" not in line)


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *training.EXTENTS, "-o", model)
    options = ["--text", tools.text, "--steps", "20", "--lr", "1e-3", "--seed", "7"]
    one = training.Program(tools, folder, "none", "1")
    expected = one.train(*options)

    failures = []
    plans = set()
    num_limited = 0
    for number, machine in enumerate(machines()):
        file = folder / f"machine-{number}.mlir"
        file.write_text(machine)
        placed = None
        if number % 3 == 2:
            if number == 2:  # the others are similar
                least = least_memory(tools, model, file)
            placed = placed_with_less_memory(tools, model, file, least)
            num_limited += placed is not None
        if placed is None:
            placed = training.run(tools.sbpc, model, "--machine", file, "--emit",
                                  "placed")
        if plan_of(placed) in plans:
            print(f"machine {number}: a plan that another one has")
            continue
        plans.add(plan_of(placed))
        file.write_text(placed)
        searched = training.Program.compiled(tools, folder / f"gpt-{number}", file)
        difference = training.largest_difference(searched.train(*options), expected)
        print(f"machine {number}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"losses differ by {difference:.2g} on\n{machine}")
    print(f"{len(plans)} plans")
    if len(plans) < LEAST_PLANS:
        failures.append(f"12 machines gave {len(plans)} plans only")
    print(f"{num_limited} of them with less memory than the best plan takes")
    if num_limited < 3:
        failures.append(f"only {num_limited} machines were short of memory")
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
