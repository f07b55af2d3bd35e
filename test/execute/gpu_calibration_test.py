#!/usr/bin/python3
"""sbprun --calibrate --target cuda measures GPUs, and writes a machine that sbpc takes.

The stand-in's times say nothing about GPUs. Their form is checked: what is measured, and that
the prices and rates are those that a machine may have.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys

import gpu
import training

# Sizes of tensors, and their number in a table.
QUICK = ["--sizes", "1KiB,4KiB,16KiB", "--repetitions", "1"]
SIZES = 3
KINDS = ["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
COSTS = ["launch", "kernels", "kernels in graphs", "events", "gate", "wait", "to GPU", "to host",
         "fill"]


def main():
    tools = gpu.parse_tools("nvml", "kernels", "model")
    folder = training.scratch()
    calibration = Calibration(tools, folder)
    check_islands(tools, folder, calibration)
    check_json(calibration)
    check_routes(calibration)
    check_hosts(tools, folder, calibration)
    check_one_gpu(tools, folder, calibration)
    check_errors(folder, calibration)


class Calibration:
    """sbprun with the kernels that the stand-in for NVIDIA's driver runs."""

    def __init__(self, tools, folder):
        self._tools = tools
        self._sbprun = folder / "sbprun"
        shutil.copy(tools.sbprun, self._sbprun)
        self._sbprun.chmod(0o755)
        training.run(tools.append, self._sbprun, tools.kernels)

    def begin(self, ranks, *options, libraries=("driver", "nvml", "nccl"), host=None, **settings):
        """Starts the calibration, if need be as that of a host. Returns the subprocess.Popen.
        `settings` are of the stand-ins."""
        settings.setdefault("gpus", ranks)
        variables = {f"SBP_SIM_{name.upper()}": str(value) for name, value in settings.items()}
        variables["LD_LIBRARY_PATH"] = ":".join(
            os.path.dirname(getattr(self._tools, name)) for name in libraries)
        if host:
            variables["SBP_HOST_ID"] = host
        command = [self._sbprun, "-n", ranks, "--calibrate", "--target", "cuda", *QUICK, *options]
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **variables})

    def run(self, ranks, *options, **settings):
        """Returns the subprocess.CompletedProcess of what begin() starts."""
        return finished(self.begin(ranks, *options, **settings))

    def succeed(self, ranks, *options, **settings):
        result = self.run(ranks, *options, **settings)
        if result.returncode != 0:
            sys.exit(f"{options}: exit status {result.returncode}, {result.stdout}{result.stderr}")
        return result


def finished(process):
    stdout, stderr = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def check_islands(tools, folder, calibration):
    """Levels are those of the links, and prices are measured on each of them and over all."""
    file = folder / "islands.mlir"
    table = calibration.succeed(4, "-o", file, links="pairs").stdout
    for level, members in ("island", 2), ("gpu", 2), ("all", 4):
        for kind in KINDS:
            lines = re.findall(rf"^{level} +{kind} +{members} .*$", table, re.M)
            if len(lines) != SIZES:
                sys.exit(f"{len(lines)} lines of {kind} on level {level}: {table}")
    expect_machine(tools, file,
                   r'\[#sbp.level<"island" x 2, .*>, #sbp.level<"gpu" x 2, .*>\] '
                   r"device #sbp.device<kind = gpu, launch = ")


def expect_machine(tools, file, pattern):
    """Ends the test unless sbpc compiles for the machine in `file`, which has `pattern`."""
    compiled = subprocess.run(
        [tools.sbpc, tools.model, "--target", "cuda", "--machine", file, "--emit", "placed"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    rates = r".*#sbp.rate<f32, [^>]*efficiency = .*#sbp.rate<bf16, [^>]*efficiency = "
    if compiled.returncode != 0 or not re.search(pattern + rates, compiled.stdout):
        sys.exit(f"{compiled.stderr}{file.read_text()}")


def check_json(calibration):
    """All that is measured has a value, and no op takes less time than a smaller one."""
    memory = 1 << 30
    result = calibration.succeed(2, "--json", memory=memory)
    lines = [json.loads(line) for line in result.stdout.splitlines()]

    def of(what):
        return [line[what] for line in lines if what in line]

    if [sample["collective"] for sample in of("sample")] != [
            kind for kind in KINDS for _ in range(SIZES)]:
        sys.exit(f"{of('sample')}")
    if [cost["what"] for cost in of("cost")] != COSTS:
        sys.exit(f"{of('cost')}")
    [device] = of("device")
    if not 0 < device["memory_bytes"] <= memory:
        sys.exit(f"{device}")
    numbers = [*device.values(), *(cost["value"] for cost in of("cost")),
               *(sample["measured_seconds"] for sample in of("sample"))]
    if not all(number > 0 for number in numbers):
        sys.exit(f"not all of {numbers} are positive")
    for kind in "f32", "bf16":
        curve = [point for point in of("efficiency") if point["type"] == kind]
        times = [point["flops"] / point["fraction"] for point in curve]
        if len(curve) < 2 or times != sorted(times) or max(
                point["fraction"] for point in curve) > 1:
            sys.exit(f"{curve}")


def check_routes(calibration):
    """Collectives are measured by the way that programs take."""
    for route in "peer", "staged", "nccl":
        calibration.succeed(2, "--collectives", route)
    note = "note: collectives go through the memory of the host: rank 0 does not reach "
    if note not in calibration.succeed(2, peers=0).stderr:
        sys.exit("no note about peers")
    result = calibration.run(2, "--collectives", "peer", peers=0)
    if result.returncode != 1 or "does not reach the memory of" not in result.stderr:
        sys.exit(f"--collectives peer without peers: {result.stderr}")


def check_hosts(tools, folder, calibration):
    """Hosts are a level, which NCCL connects."""
    file = folder / "hosts.mlir"
    options = ["--nodes", 2, "--master-addr", "127.0.0.1",
               "--master-port", random.randrange(20000, 40000)]
    second = calibration.begin(2, *options, "--node-rank", 1, host="second")
    first = calibration.run(2, *options, "--node-rank", 0, "-o", file, host="first")
    second = finished(second)
    if first.returncode != 0 or second.returncode != 0 or second.stdout:
        sys.exit(f"two hosts: {first.stderr}{second.stdout}{second.stderr}")
    expect_machine(tools, file, r'sbp.machine @cluster \[#sbp.level<"node" x 2, .*>, '
                                r'#sbp.level<"gpu" x 2, .*>\] device #sbp.device<kind = gpu, ')


def check_one_gpu(tools, folder, calibration):
    """One GPU has rates, and no collectives."""
    file = folder / "one.mlir"
    table = calibration.succeed(1, "-o", file).stdout
    if "all_reduce" in table:
        sys.exit(f"one GPU: {table}")
    expect_machine(tools, file, r'\[#sbp.level<"gpu" x 1, .*device #sbp.device<kind = gpu, ')


def check_errors(folder, calibration):
    """What cannot be measured is one line, and no machine."""
    file = folder / "none.mlir"
    for error, settings in (
            ("--target cuda: -n 2: NVIDIA's driver shows 1 GPU", {"gpus": 1}),
            ("--target cuda: NVIDIA's driver finds no GPU", {"gpus": 0}),
            ("--target cuda: there is no libcuda.so.1", {"libraries": ["nvml"]}),
            ("but this GPU is Stand-in (sm_75", {"chip": 75}),
            ("of 10 KB are free", {"memory": 10000})):
        result = calibration.run(2, "-o", file, **settings)
        lines = result.stderr.splitlines()
        if result.returncode != 1 or len(lines) != 1 or error not in lines[0]:
            sys.exit(f"{settings}: exit status {result.returncode}, {result.stderr}")
        print(lines[0])
    if file.exists():
        sys.exit("a machine was written after an error")


if __name__ == "__main__":
    main()
