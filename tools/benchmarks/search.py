"""The time to prove a plan optimal, for three kinds of problems: the MLP of AutoDDL's figure 8,
by elimination and by trying every plan, in one run; a GPT of the shape of GPT-3 on large machines,
with memory limits; and, with --peers, the placement of real programs, by elimination and
by toulbar2.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess

import toulbar2

DIMS = "32768,16384,4096,2048,512"
# Levels, alpha, beta.
MACHINES = {
    "64x8": ("64x8", "1e-5,3e-6", "4e-11,3.3e-12"),
    "8x64x8": ("8x64x8", "2e-5,1e-5,3e-6", "1.6e-10,4e-11,3.3e-12"),
}
LARGE_MACHINES = {
    "16x256x16": ("16x256x16", "2e-5,1e-5,3e-6", "1.6e-10,4e-11,3.3e-12"),
    "16x256x16, slow outside": ("16x256x16", "1e-5,3e-6,1e-6", "4e-10,4e-11,3.3e-12"),
    "16x256x16, slow nodes": ("16x256x16", "3e-5,1e-5,3e-6", "4e-10,8e-11,3.3e-12"),
}
# Machines whose bounds by numbers of axes are often too low.
HARD_MACHINES = {
    "8x64x8, slow outside": ("8x64x8", "1e-5,3e-6,1e-6", "4e-10,4e-11,3.3e-12"),
    "8x64x8, slow nodes": ("8x64x8", "3e-5,1e-5,3e-6", "4e-10,8e-11,3.3e-12"),
}
# Numbers of micro-batches that differ from the default.
MICRO_BATCHES = {"64x8": 192, "8x64x8": 96}
# Memory limits in bytes per device, across the curve of time against memory.
LIMITS = {"64x8": (200e9, 138e9, 92e9, 60e9, 47e9, 43e9, 40e9, 33e9, 27e9, 22e9, 20e9, 18e9),
          "8x64x8": (60e9, 37e9, 24e9, 16e9, 10e9)}


def lab(*arguments):
    """Returns the answer of sbp-lab, and its largest memory in megabytes."""
    command = ["bazel-bin/tools/sbp-lab", *map(str, arguments), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"search: {' '.join(command)} failed")
    return json.loads(text), usage.ru_maxrss / 1e3


def solve(solver, nodes, batch):
    """Returns the answer for the MLP."""
    return lab("mlp", "--dims", DIMS, "--nodes", nodes, "--batch", batch,
               "--solver", solver)[0]


def gpt(machine, *arguments):
    """Returns the answer for the GPT, without its plans."""
    levels, alpha, beta = {**MACHINES, **LARGE_MACHINES, **HARD_MACHINES}[machine]
    answer, megabytes = lab("gpt", "--levels", levels, "--alpha", alpha, "--beta",
                            beta, "--time", *arguments)
    answer.pop("plan", None)
    answer.get("within_memory", {}).pop("plan", None)
    return {**answer, "megabytes": megabytes}


def measure_gpt(options):
    """Returns one entry per question."""
    machines = [*MACHINES, *(LARGE_MACHINES if options.large else ())]
    result = {}
    for machine in machines:
        result[machine] = gpt(machine)
        for layers in (24, 960):
            result[f"{machine}, {layers} layers"] = gpt(machine, "--layers", layers)
    for machine in HARD_MACHINES:
        result[machine] = gpt(machine)
    for machine, number in MICRO_BATCHES.items():
        result[f"{machine}, {number} micro-batches"] = gpt(
            machine, "--micro-batches", number)
    for machine, limits in LIMITS.items():
        for limit in limits:
            result[f"{machine}, {limit / 1e9:.0f} GB"] = gpt(machine, "--memory", limit)
    return result


def print_gpt(result):
    """Prints one line per question."""
    for name, answer in result.items():
        seconds, text = answer["search_seconds"], f"{answer['rows']} rows"
        text += (", certified" if answer["certified"] else
                 f", gap {answer.get('gap', float('nan')):.1e}")
        if "within_memory" in answer:
            seconds = answer["memory_seconds"]
            text = f"gap {answer['within_memory'].get('gap', float('nan')):.1e}"
        print(f"{name:36} {1e3 * seconds:10.2f} ms {answer['megabytes']:8.0f} MB  {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--nodes", type=int, default=4096)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--no-gpt", action="store_true", help="the MLP only")
    parser.add_argument("--large", action="store_true",
                        help="the GPT on 16x256x16 devices too: minutes")
    parser.add_argument("--peers", type=pathlib.Path, metavar="FOLDER",
                        help="where tools/setup --peers has put toulbar2")
    parser.add_argument("--peer-seconds", type=int, default=60,
                        help="that toulbar2 gets for a problem")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()

    runs = {solver: [solve(solver, options.nodes, options.batch)
                     for _ in range(options.repeat)]
            for solver in ("elimination", "exhaustive")}
    median = {solver: statistics.median(run["search_seconds"] for run in of_solver)
              for solver, of_solver in runs.items()}
    optima = {run["seconds"] for of_solver in runs.values() for run in of_solver}
    if len(optima) != 1:
        raise SystemExit(f"search: the solvers disagree: {sorted(optima)}")
    result = {"nodes": options.nodes, "plans": runs["exhaustive"][0]["strategies"],
              "elimination_seconds": median["elimination"],
              "exhaustive_seconds": median["exhaustive"],
              "ratio": median["exhaustive"] / median["elimination"]}
    if not options.no_gpt:
        result["gpt"] = measure_gpt(options)
    if options.json:
        print(json.dumps(result))
        return
    print(f"{result['plans']:.3g} plans on {options.nodes} nodes, one optimum")
    print(f"elimination {1e3 * result['elimination_seconds']:8.2f} ms")
    print(f"exhaustive  {1e3 * result['exhaustive_seconds']:8.2f} ms")
    print(f"ratio       {result['ratio']:8.1f}")
    print_gpt(result.get("gpt", {}))
    if options.peers:
        toulbar2.compare(options.peers / "bin/python", options.peer_seconds,
                         options.repeat)


if __name__ == "__main__":
    main()
