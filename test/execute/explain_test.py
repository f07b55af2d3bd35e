#!/usr/bin/python3
"""sbpc explain says of a plan what the search said, and its parts make up the whole.

For a searched plan of a GPT on one and on two levels; for one made by hand; and of what
cannot be explained, why.
"""

import json
import math
import subprocess
import sys

import training

MACHINES = {
    "one level": """sbp.machine @machine [
        #sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]""",
    "two levels": """sbp.machine @machine [
        #sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
        #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]""",
}
DEVICE = """ device #sbp.device<memory = 4.0e9, bandwidth = 1.0e11,
                                rates = [#sbp.rate<f32, 1.0e12>]>"""


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def failures_of_parts(report):
    """Where the parts of a report do not make up the whole."""
    for entry in report["entries"]:
        seconds = 0.0
        for function in entry["functions"]:
            ops = sum(op["seconds"] for op in function["ops"])
            moves = sum(move["seconds"] for move in function["movements"])
            if not is_close(ops, function["computing"]):
                yield f"@{function['function']}: ops take {ops}"
            for move in function["movements"]:
                steps = sum(step["seconds"] for step in move["steps"])
                if not is_close(steps * function["times"], move["seconds"]):
                    yield f"a move of {move['type']}: steps take {steps}"
            seconds += ops + moves
        if not is_close(seconds, entry["seconds"]):
            yield f"@{entry['entry']}: {seconds} in parts, {entry['seconds']} in all"


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *training.EXTENTS, "-o", model)
    failures = []

    for name, machine in MACHINES.items():
        file = folder / "machine.mlir"
        file.write_text(machine + DEVICE)
        report = json.loads(training.run(tools.sbpc, "explain", model, "--machine",
                                         file, "--json"))
        failures += failures_of_parts(report)
        for entry in report["entries"]:
            # The boxed program takes what the search proved to be the least.
            if not is_close(entry["seconds"], entry["lower_bound"]):
                failures.append(f"{name}: @{entry['entry']} takes {entry['seconds']}, "
                                f"the search said {entry['lower_bound']}")
        train = next(e for e in report["entries"] if e["entry"] == "train_step")
        if report["propagated"]["seconds"] < train["seconds"] * (1 - 1e-9):
            failures.append(f"{name}: propagation is better than the best")
        text = training.run(tools.sbpc, "explain", model, "--machine", file)
        if text.count("No plan takes less: proven.") != len(report["entries"]):
            failures.append(f"{name}: the text does not say what is proven:\n{text}")

    # A plan that is in the model already is explained as it is.
    placed = folder / "placed.mlir"
    training.run(tools.sbpc, model, "--machine", file, "--emit", "placed",
                 "--place-by", "propagation", "-o", placed)
    by_hand = json.loads(training.run(tools.sbpc, "explain", placed, "--json"))
    failures += failures_of_parts(by_hand)
    seconds = next(e["seconds"] for e in by_hand["entries"]
                   if e["entry"] == "train_step")
    if not is_close(seconds, report["propagated"]["seconds"]):
        failures.append(f"placed by propagation it takes {seconds}, as a comparison "
                        f"{report['propagated']['seconds']}")

    local = folder / "local.mlir"
    training.run(tools.sbpc, model, "--machine", file, "--emit", "local", "-o", local)
    refused = subprocess.run([tools.sbpc, "explain", local], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    if refused.returncode != 1 or "local form" not in refused.stderr:
        failures.append(f"of a local program: {refused}")
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
