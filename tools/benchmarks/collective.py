"""The time of collectives between ranks of this host: the project's, and OpenMPI's.

n is the bytes of the whole tensor. They are compared with a memcpy of n bytes on all ranks at once,
and with the same collective of OpenMPI over its shared memory, in the same run, as absolute times of
one machine differ by a factor of two from hour to hour. The two implementations take turns; the
fastest of all runs counts. Without OpenMPI its columns are left out.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OURS = ROOT / "bazel-bin/runtime/communication/collective_benchmark"
SBPRUN = ROOT / "bazel-bin/tools/sbprun"
PEER = ROOT / "bazel-bin/tools/benchmarks/openmpi_collectives"
PEER_TARGET = "//tools/benchmarks:openmpi_collectives"
MPI_HEADER = pathlib.Path("/usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h")


def main():
    options = parse_options()
    has_peer = build_peer()
    ours, copies, peers = {}, {}, {}
    for _ in range(options.rounds):
        for row in run_ours(options):
            keep_least(ours, row, row["seconds"])
            keep_least(copies, row, row["memcpy_seconds"])
        for row in run_peer(options) if has_peer else ():
            keep_least(peers, row, row["seconds"])
    print_table(options, ours, copies, peers)


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench collective", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, default=4, help="number of ranks (4)")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="BYTES",
                        default=[1 << 12, 1 << 16, 1 << 20, 1 << 24],
                        help="sizes of the whole tensor (4 KB to 16 MB)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (3)")
    parser.add_argument("--repetitions", type=int, default=7,
                        help="number of repetitions in each round (7)")
    parser.add_argument("--transport", choices=["auto", "shm", "ucx"],
                        default="auto", help="transport of the project's collectives (auto)")
    return parser.parse_args()


def build_peer():
    """Builds OpenMPI's side of the comparison. Returns whether there is an OpenMPI."""
    if not shutil.which("mpirun") or not MPI_HEADER.exists():
        print("OpenMPI is left out: it is not installed; tools/setup installs it",
              file=sys.stderr)
        return False
    built = subprocess.run(["bazel", "build", PEER_TARGET], cwd=ROOT, check=False,
                           stdout=sys.stderr)
    if built.returncode != 0:
        sys.exit(f"bench: {PEER_TARGET} does not build")
    return True


def run_ours(options):
    return rows_of([SBPRUN, "-n", options.ranks, OURS, "--json",
                    "--repetitions", options.repetitions,
                    "--sizes", ",".join(map(str, options.sizes))],
                   SBP_TRANSPORT=options.transport)


def run_peer(options):
    return rows_of(["mpirun", "-n", options.ranks, "--oversubscribe",
                    "--bind-to", "none", "--mca", "pml", "ob1",
                    "--mca", "btl", "self,vader",
                    PEER, options.repetitions, *options.sizes],
                   OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def rows_of(command, **environment):
    """Returns the objects that `command` prints, one per line."""
    result = subprocess.run([str(word) for word in command], check=True, text=True,
                            stdout=subprocess.PIPE,
                            env={**os.environ, **environment})
    return [json.loads(line) for line in result.stdout.splitlines()]


def keep_least(times, row, seconds):
    key = row["collective"], row["bytes"]
    times[key] = min(seconds, times.get(key, seconds))


def print_table(options, ours, copies, peers):
    print(f"{options.ranks} ranks, {len(os.sched_getaffinity(0))} cores")
    header = f"{'collective':<20}{'n bytes':>12}{'us':>11}{'memcpy us':>12}{'ratio':>8}"
    print(header + (f"{'OpenMPI us':>13}{'ratio':>8}" if peers else ""))
    for key, seconds in ours.items():
        name, size = key
        copy = copies[key]
        line = (f"{name:<20}{size:>12}{seconds * 1e6:>11.2f}{copy * 1e6:>12.2f}"
                f"{seconds / copy:>8.2f}")
        if key in peers:
            line += f"{peers[key] * 1e6:>13.2f}{seconds / peers[key]:>8.2f}"
        print(line)


if __name__ == "__main__":
    main()
