"""The time to prove a plan optimal, for two kinds of problems: the MLP of AutoDDL's figure 8,
by elimination and by trying every plan, in one run; and, with --peers, the placement of real
programs, by elimination and by toulbar2.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

import toulbar2

DIMS = "32768,16384,4096,2048,512"


def solve(solver, nodes, batch):
    """Returns the answer of sbp-lab for the MLP."""
    return json.loads(subprocess.check_output(
        ["bazel-bin/tools/sbp-lab", "mlp", "--dims", DIMS, "--nodes", str(nodes),
         "--batch", str(batch), "--solver", solver, "--json"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--nodes", type=int, default=4096)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=5)
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
    if options.json:
        print(json.dumps(result))
        return
    print(f"{result['plans']:.3g} plans on {options.nodes} nodes, one optimum")
    print(f"elimination {1e3 * result['elimination_seconds']:8.2f} ms")
    print(f"exhaustive  {1e3 * result['exhaustive_seconds']:8.2f} ms")
    print(f"ratio       {result['ratio']:8.1f}")
    if options.peers:
        toulbar2.compare(options.peers / "bin/python", options.peer_seconds,
                         options.repeat)


if __name__ == "__main__":
    main()
