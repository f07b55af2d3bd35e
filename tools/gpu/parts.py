"""The parts of tools/check-gpu, which run where the GPU is. They need Python alone."""

import json
import math
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

# Most seconds of each part; all together at most six minutes.
LIMITS = {"driver": 10, "costs": 15, "kernels": 60, "programs": 80, "files": 20, "faults": 50,
          "nccl": 40, "speed": 75}
TOLERANCE = 1e-5
SHARED = ["--share-gpu"]


def run(folder, names):
    """Runs parts of the archive in `folder`. Returns the exit status."""
    passed = failed = 0
    for name in names:
        lines = run_limited(folder, name)
        passed += sum(line["ok"] for line in lines)
        failed += sum(not line["ok"] for line in lines)
    print(json.dumps({"passed": passed, "failed": failed}))
    print(f"{passed} of {passed + failed} checks passed")
    return 0 if failed == 0 and passed > 0 else 1


def run_limited(folder, name):
    """Runs a part as a process, and prints what it prints. Returns its checks."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, folder / "check-gpu", "--part", name], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True)
    is_late = False
    try:
        out, said = process.communicate(timeout=LIMITS[name])
    except subprocess.TimeoutExpired:
        is_late = True
        os.killpg(process.pid, signal.SIGKILL)
        out, said = process.communicate()
    checks = []
    for line in out.splitlines():
        result = {"part": name, **json.loads(line)}
        print(json.dumps(result), flush=True)
        if "ok" in result:
            checks.append(result)
    if is_late or process.returncode != 0:
        error = f"more than {LIMITS[name]} s" if is_late else f"exit status {process.returncode}"
        failure = {"part": name, "check": "ends", "ok": False, "error": error,
                   "stderr": said[-2000:]}
        print(json.dumps(failure), flush=True)
        checks.append(failure)
    print(json.dumps({"part": name, "seconds": round(time.monotonic() - begin, 1)}), flush=True)
    return checks


def run_one(folder, name):
    """Runs a part in this process."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="check-gpu-"))
    try:
        PARTS[name](Machine(folder, work))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def report(check, is_ok, **facts):
    print(json.dumps({"check": check, "ok": bool(is_ok), **facts}), flush=True)


def located(folder, words):
    """Returns options with the paths of files of the archive: FILE and INPUT=FILE."""
    result = []
    for word in words:
        name, equals, file = word.rpartition("=")
        result.append(f"{name}{equals}{folder / file}" if (folder / file).is_file() else word)
    return result


class Machine:
    """The unpacked archive, and a folder for files."""

    def __init__(self, folder, work):
        self.folder = folder
        self.work = work
        self.expected = json.loads((folder / "expected.json").read_text())

    def probe(self, *words):
        """Runs the program that talks to the driver, and passes on what it prints."""
        result = subprocess.run([self.folder / "check_gpu", *map(str, words)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False)
        sys.stdout.write(result.stdout)
        if result.returncode != 0:
            report("driver", False, error=result.stderr.strip())

    def command(self, name, ranks, *options):
        case = self.expected[name]
        words = [self.folder / "sbprun", "-n", ranks, self.folder / "programs" / name,
                 *located(self.folder, case["data"]), *SHARED, *options]
        return [str(word) for word in words]

    def start(self, name, ranks, *options):
        return subprocess.run(self.command(name, ranks, *options), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)

    def train(self, name, *options, steps=None):
        """Returns the losses of a program, or None after a report that it failed."""
        case = self.expected[name]
        steps = steps or len(case["losses"])
        result = self.start(name, case["ranks"], "--json", *case["training"], "--steps", steps,
                            *options)
        if result.returncode != 0:
            report(f"{name} {' '.join(map(str, options))}", False,
                   error=result.stderr[-2000:], status=result.returncode)
            return None
        return [json.loads(line)["loss"] for line in result.stdout.splitlines()]


def compare(what, losses, expected):
    """Reports whether losses are those of a CPU."""
    if losses is None:
        return
    difference = max(abs(a - b) / abs(b) if math.isfinite(a) else math.inf
                     for a, b in zip(losses, expected))
    is_right = len(losses) == len(expected) and difference <= TOLERANCE
    report(what, is_right, largest_difference=difference)


def programs(machine):
    for name, case in machine.expected.items():
        if "losses" not in case:
            continue
        ways = ["peer", "staged"] if case["ranks"] > 1 else ["auto"]
        plain = [ways[0], "--one-stream", "--no-graphs"]
        runs = [machine.train(name, "--collectives", *way)
                for way in [*([way] for way in ways), [ways[0]], plain]]
        for way, losses in zip(ways, runs):
            compare(f"{name} by {way}", losses, case["losses"])
        if None not in runs:
            report(f"{name}: the same bits each time", all(run == runs[0] for run in runs))


def files(machine):
    name = "gpt-1"
    saved, trace = machine.work / "half.safetensors", machine.work / "trace.json"
    steps = len(machine.expected[name]["losses"])
    half = steps // 2
    first = machine.train(name, "--save", saved, steps=half)
    rest = machine.train(name, "--load", saved, "--trace", trace, steps=steps - half)
    if first is not None and rest is not None:
        compare("a run that is saved goes on", first + rest, machine.expected[name]["losses"])
    events = json.loads(trace.read_text()) if trace.exists() else []
    report("a trace", bool(events))
    sampled = subprocess.run(
        [str(word) for word in [machine.folder / "programs" / name, "--load", saved, "--prompt",
                                "In the", "--sample", 20]],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace", check=False)
    report("a sample", sampled.returncode == 0 and len(sampled.stdout) > 6,
           text=sampled.stdout[:60], error=sampled.stderr[-500:])
    described = machine.start(name, 1, "--describe")
    report("a description", described.returncode == 0, error=described.stderr[-500:])


def faults(machine):
    for way in "peer", "staged":
        for what, number in (("killed", signal.SIGKILL), ("stopped", signal.SIGSTOP)):
            after_signal(machine, way, what, number)
    for name, what in (("gpt-2-traps", "CUDA_ERROR|failed"), ("gpt-2-hangs", "has not")):
        in_kernel(machine, name, what)


def begin(machine, name, *options):
    return subprocess.Popen(
        machine.command(name, 2, "--json", *machine.expected[name]["training"], "--steps", 100000,
                        "--wait-timeout", 3, *options),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "SBP_HEARTBEAT_TIMEOUT": "1"})


def after_signal(machine, way, what, number):
    """Sends a signal to a rank, and expects that the others name it and end."""
    run = begin(machine, "gpt-2", "--collectives", way)
    run.stdout.readline()
    ranks = children(run.pid)
    if len(ranks) != 2:
        said = finish(run)
        report(f"a rank that is {what}, {way}", False, error=said[-500:])
        return
    os.kill(ranks[-1], number)
    expect_end(f"a rank that is {what}, {way}", run, r"rank [01] \(", ranks)


def in_kernel(machine, name, said):
    run = begin(machine, name)
    time.sleep(1)
    expect_end(name, run, said, children(run.pid))


def expect_end(what, run, error, ranks):
    start = time.monotonic()
    said = finish(run)
    seconds = time.monotonic() - start
    left = [rank for rank in ranks if os.path.exists(f"/proc/{rank}")]
    report(what, run.returncode not in (0, -signal.SIGKILL) and re.search(error, said) and
           not left, seconds=round(seconds, 1), status=run.returncode, left=left,
           error=said.strip()[-300:])


def finish(run):
    """Waits for the end of a run, and kills it if there is none. Returns its errors."""
    try:
        return run.communicate(timeout=15)[1]
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        return "it does not end\n" + run.communicate()[1]


def children(process):
    path = pathlib.Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def nccl(machine):
    for name, case in machine.expected.items():
        if "losses" not in case or not name.startswith("gpt-"):
            continue
        result = machine.start(name, case["ranks"], "--json", *case["training"], "--steps",
                               len(case["losses"]), "--collectives", "nccl")
        lines = result.stderr.strip().splitlines()
        last = lines[-1] if lines else ""
        if result.returncode == 1 and ("no libnccl" in last or "does not permit" in last
                                       or "too old" in last):
            print(json.dumps({"skipped": f"{name} by nccl", "reason": last}), flush=True)
            continue
        if result.returncode != 0:
            report(f"{name} by nccl", False, error=result.stderr[-2000:])
            continue
        losses = [json.loads(line)["loss"] for line in result.stdout.splitlines()]
        compare(f"{name} by nccl", losses, case["losses"])


def speed(machine):
    for name in "gpt-1", "gpt2-f32", "gpt2-bf16":
        if name not in machine.expected:
            continue
        for options in [], ["--no-graphs"]:
            result = machine.start(name, 1, "--json", *machine.expected[name]["training"],
                                   "--steps", 12, *options)
            seconds = [json.loads(line)["seconds"] for line in result.stdout.splitlines()]
            steps = [later - earlier for earlier, later in zip(seconds, seconds[1:])]
            report(" ".join(["step of", name, *options]), result.returncode == 0 and steps,
                   error=result.stderr[-500:],
                   milliseconds=round(1e3 * statistics.median(steps), 2) if steps else None)
    torch = subprocess.run([sys.executable, machine.folder / "gpu/torch_step.py"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if torch.returncode == 0:
        sys.stdout.write(torch.stdout)
    else:
        print(json.dumps({"skipped": "PyTorch", "reason": torch.stderr.strip()[-200:]}))


def kernels(machine):
    machine.probe("kernels", *sorted((machine.folder / "kernels").glob("*.trials")))


PARTS = {
    "driver": lambda machine: machine.probe("describe"),
    "costs": lambda machine: machine.probe("costs"),
    "kernels": kernels,
    "programs": programs,
    "files": files,
    "faults": faults,
    "nccl": nccl,
    "speed": speed,
}
