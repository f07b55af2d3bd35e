"""The bytes that the GPU kernels of a training step of a GPT move, counted by family.

Nothing runs on a GPU, and no time is measured. Some blocks of each launch run on this CPU: the first,
the last and some in between. The sectors of 32 bytes that a block loads and stores are counted, each
once, as if the cache of its multiprocessor held all of them, and multiplied by the number of blocks.
That is the traffic between multiprocessors and memory or the chip's own cache (L2), which may already
have data that another block has loaded.

  kernels    number of different kernels
  launches   number of launches in a step
  least      bytes that have to move: each operand once, each result once
  moved      bytes that move, by counting
  reached    least / moved: the useful share of the bandwidth
  requests   accesses of a warp by one instruction
  wanted     share of the bytes in the sectors of a request that the request needs

If NVIDIA's ptxas is there (tools/ptxas-report --help says how to get it), also the largest number of
registers per thread in the family, and the least occupancy of a multiprocessor.
"""

import argparse
import collections
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

FAMILIES = {
    "contractions": ["einsum"],
    "attention": ["attention", "attention_grad"],
    "norms": ["layer_norm", "layer_norm_grad"],
    "sums": ["reduce"],
    "embedding": ["embedding", "embedding_grad"],
    "loss": ["cross_entropy", "cross_entropy_grad"],
    "optimiser": ["adam", "sgd", "momentum"],
}
ELSE = "element-wise"

# Limits of a multiprocessor of compute capability 8.0.
REGISTERS, THREADS, BLOCKS, SHARED_BYTES = 65536, 2048, 32, 164 << 10
# Granularity in which registers are allocated to warps, and shared memory to blocks.
REGISTERS_OF_WARP, PIECE_OF_SHARED, RESERVED_SHARED = 256, 128, 1 << 10


def main():
    options, model_options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        launches = count(model_options, pathlib.Path(folder))
    if options.launches:
        print_launches(launches)
    print_families(launches)


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench gpu-kernels", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Other options go to models/gpt.py; without any: --preset gpt2.")
    parser.add_argument("--launches", action="store_true",
                        help="print each launch too, those that move most first")
    return parser.parse_known_args()


class Launch:
    """One launch of a kernel, and its traffic in a step."""

    def __init__(self, row, registers):
        self.op = row["op"].removeprefix("nn.")
        self.function = row["launch"]
        self.kernel = row["kernel"]
        self.runs = int(row["runs"])
        self.threads, self.shared = int(row["threads"]), int(row["shared"])
        self.least_of_kernel = int(row["least"]) * self.runs
        self.moved = (float(row["loaded"]) + float(row["stored"])) * self.runs
        self.requests = float(row["requests"]) * self.runs
        self.requested = float(row["requested"]) * self.runs
        self.wanted = float(row["wanted"]) * self.runs
        self.registers = registers.get(self.function)

    @property
    def family(self):
        return next((name for name, ops in FAMILIES.items() if self.op in ops), ELSE)

    @property
    def occupancy(self):
        """The share of a multiprocessor's threads that can be resident at once."""
        warps = self.threads // 32
        registers = -(-self.registers * 32 // REGISTERS_OF_WARP) * REGISTERS_OF_WARP
        shared = -(-self.shared // PIECE_OF_SHARED) * PIECE_OF_SHARED + RESERVED_SHARED
        blocks = min(BLOCKS, THREADS // self.threads, REGISTERS // (registers * warps),
                     SHARED_BYTES // shared)
        return blocks * self.threads / THREADS


def count(model_options, folder):
    model, local, ptx = (folder / name for name in ("gpt.mlir", "local.mlir", "gpt.ptx"))
    run(ROOT / "models/gpt.py", *(model_options or ["--preset", "gpt2"]), "-o", model)
    compiler = [ROOT / "bazel-bin/tools/sbpc", model, "-n", "1", "--target", "cuda"]
    run(*compiler, "--emit", "local", "-o", local)
    run(*compiler, "--emit", "ptx", "-o", ptx)
    report = run(ROOT / "tools/ptxas-report", "--most-spilled", str(1 << 20), ptx)
    registers = {name: int(number) for number, name in
                 re.findall(r"^sm_\w+ +(\d+) .* (\S+)$", report, re.M)}
    table = run(ROOT / "bazel-bin/codegen/cuda/testing/CountTraffic", local)
    return [Launch(row, registers)
            for row in csv.DictReader(table.splitlines(), delimiter="\t")]


def run(*command):
    result = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"bench gpu-kernels: {command[0]} ended with {result.returncode}")
    return result.stdout


def print_launches(launches):
    print(f"{'runs':>5}{'moved, MB':>11}{'requests, M':>12}{'wanted':>8}  launch")
    for each in sorted(launches, key=lambda launch: -launch.moved):
        print(f"{each.runs:5}{each.moved / 1e6:11.1f}{each.requests / 1e6:12.2f}"
              f"{ratio(each.wanted, each.requested):>8}  {each.function}")
    print()


def print_families(launches):
    families = collections.defaultdict(list)
    for launch in launches:
        families[launch.family].append(launch)
    is_assembled = all(launch.registers for launch in launches)
    print(f"{'':14}{'kernels':>8}{'launches':>9}{'least, MB':>11}{'moved, MB':>11}"
          f"{'reached':>9}{'requests, M':>12}{'wanted':>8}"
          + (f"{'registers':>11}{'occupancy':>11}" if is_assembled else ""))
    for family in [*FAMILIES, ELSE]:
        if family in families:
            print_line(family, families[family], is_assembled)
    print_line("all", launches, is_assembled)


def print_line(name, launches, is_assembled):
    # All launches of a kernel have the bytes that the kernel must move.
    least = {launch.kernel: launch.least_of_kernel for launch in launches}
    moved, requests, requested, wanted = (
        sum(getattr(launch, name) for launch in launches)
        for name in ("moved", "requests", "requested", "wanted"))
    line = (f"{name:14}{len(least):8}{sum(launch.runs for launch in launches):9}"
            f"{sum(least.values()) / 1e6:11.1f}{moved / 1e6:11.1f}"
            f"{ratio(sum(least.values()), moved):>9}{requests / 1e6:12.2f}"
            f"{ratio(wanted, requested):>8}")
    if is_assembled:
        line += (f"{max(launch.registers for launch in launches):11}"
                 f"{min(launch.occupancy for launch in launches):11.0%}")
    print(line)


def ratio(part, whole):
    return f"{part / whole:.1%}" if whole else "-"


if __name__ == "__main__":
    main()
