#!/usr/bin/python3
"""On two different axes plans are proven optimal, also for networks beyond any table.

By the report of sbpc explain on @train_step:

  - For residual CNNs, whose tensors have many uses, the plan is proven the best on machines
    whose links differ much, little, and in the reverse order. So no named strategy, and no plan
    of AutoDDL's space, takes less time.
  - For a GPT under a memory limit the plan is proven the best as well, for limits across the
    curve; with more memory it takes no longer.
"""

import json
import sys

import training

CNN = ["--batch", "2", "--extent", "48", "--width", "8", "--stages", "2", "--classes", "5"]
GPT = ["--layers", "2", "--width", "48", "--heads", "3", "--vocabulary", "90",
       "--batch", "6", "--sequence", "20"]

# Counts of both levels, their alpha and beta, and FLOP/s.
MACHINES = [
    ((2, 8), (4.6e-8, 1.9e-9), (1.3e-6, 3.8e-9), 7.8e9),
    ((4, 8), (9.6e-6, 6.4e-10), (3.4e-6, 4.3e-12), 1e12),
    ((3, 2), (2e-6, 1e-9), (1e-6, 2e-10), 5e10),
]
# Limits, as fractions of the way from the least memory to that of the fastest plan.
LIMITS = [0.02, 0.1, 0.3, 0.6]


def machine_file(folder, counts, outer, inner, rate):
    levels = ", ".join(f'#sbp.level<"{name}" x {count}, alpha = {alpha:e}, beta = {beta:e}>'
                       for name, count, (alpha, beta) in zip("ab", counts, (outer, inner)))
    path = folder / f"machine_{counts[0]}x{counts[1]}.mlir"
    path.write_text(f"sbp.machine @m [{levels}] device #sbp.device<memory = 1.0e12, "
                    f"bandwidth = 1.0e11, rates = [#sbp.rate<f32, {rate:e}>]>\n")
    return path


def explained(tools, model, machine, *options):
    """Returns the report on @train_step, and the whole report."""
    report = json.loads(training.run(tools.sbpc, "explain", model, "--machine", machine,
                                     "--no-pipeline", "--json", *options))
    return next(e for e in report["entries"] if e["entry"] == "train_step"), report


def failures_of_proof(what, entry):
    if entry["counted"] > entry["lower_bound"] * (1 + 1e-9):
        yield f"{what}: {entry['counted']} s, but not proven beyond {entry['lower_bound']} s"


def failures_of_cnn(tools, model, machine):
    entry, report = explained(tools, model, machine)
    yield from failures_of_proof(machine.name, entry)
    for strategy in report["alternatives"]["strategies"]:
        if strategy["seconds"] < entry["counted"] * (1 - 1e-9):
            yield f"{machine.name}: {strategy} takes less than {entry['counted']} s"


def failures_of_limits(tools, model, machine):
    fastest, report = explained(tools, model, machine, "--front")
    least = min(point["memory"] for point in report["alternatives"]["front"])
    before = None
    for part in LIMITS:
        limit = int(least + part * (fastest["memory"]["bytes"] - least))
        entry, _ = explained(tools, model, machine, "--memory", limit)
        what = f"{machine.name} with {limit} bytes"
        print(f"{what}: {entry['seconds'] * 1e6:.1f} us, {entry['memory']['bytes']:.0f} bytes")
        yield from failures_of_proof(what, entry)
        if before is not None and entry["counted"] > before * (1 + 1e-9):
            yield f"{what}: {entry['counted']} s, but {before} s with less"
        before = entry["counted"]


def main():
    tools = training.parse_tools("gpt")
    folder = training.scratch()
    cnn, gpt = folder / "cnn.mlir", folder / "gpt.mlir"
    training.run(tools.generator, *CNN, "-o", cnn)
    training.run(tools.gpt, *GPT, "-o", gpt)
    machines = [machine_file(folder, *machine) for machine in MACHINES]
    failures = []
    for machine in machines:
        failures += failures_of_cnn(tools, cnn, machine)
    failures += failures_of_limits(tools, gpt, machines[-1])
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
