"""Programs for GPUs, on machines without one: functions that several tests share.

A program is the one that users get. A stand-in for NVIDIA's driver, which it finds by
LD_LIBRARY_PATH, runs its kernels on this CPU (codegen/cuda/testing/driver). For that, a test
appends the kernels to the program's file, as LLVM IR.
"""

import json
import os
import subprocess

import training


# Extents of a GPT that the stand-in trains in little time.
SMALL_GPT = ["--width", "16", "--heads", "2", "--vocabulary", "257", "--batch", "4",
             "--sequence", "8"]


def parse_tools(*more):
    """Returns the arguments of a test of programs for GPUs, as training.parse_tools() does."""
    return training.parse_tools("append", "driver", "nccl", *more)


class GpuProgram:
    """A program for GPUs, with the kernels that the stand-in runs."""

    def __init__(self, tools, path, model, *options):
        self._tools = tools
        self.path = path
        options = [model, *options, "--target", "cuda"]
        training.run(tools.sbpc, *options, "-o", path)
        kernels = path.with_suffix(".ll")
        training.run(tools.sbpc, *options, "--emit", "llvm", "-o", kernels)
        training.run(tools.append, path, kernels)

    def begin(self, ranks, *options, program=None, **settings):
        """Starts the program as processes, on as many GPUs unless `gpus` says otherwise. Returns
        the subprocess.Popen. `settings` are of the stand-ins, see their Driver.cpp and Nccl.cpp."""
        settings.setdefault("gpus", ranks)
        variables = {f"SBP_SIM_{name.upper()}": str(value) for name, value in settings.items()}
        variables["LD_LIBRARY_PATH"] = ":".join(
            os.path.dirname(library) for library in (self._tools.driver, self._tools.nccl))
        command = [self._tools.sbprun, "-n", ranks, program or self.path, *options]
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **variables})

    def start(self, ranks, *options, **settings):
        """Runs the program as begin() starts it. Returns the subprocess.CompletedProcess."""
        run = self.begin(ranks, *options, **settings)
        stdout, stderr = run.communicate()
        return subprocess.CompletedProcess(run.args, run.returncode, stdout, stderr)

    def start_on_hosts(self, ranks, per_host, *options, **settings):
        """Runs the program as start() does, on hosts of `per_host` ranks each."""
        script = self.path.with_suffix(".sh")
        script.write_text(f"#!/bin/sh\nexport SBP_HOST_ID=host$((RANK / {per_host}))\n"
                          f'exec {self.path} "$@"\n')
        script.chmod(0o755)
        return self.start(ranks, *options, program=script, **settings)

    def train(self, ranks, *options, value="loss", **settings):
        """Returns the printed loss, another value, or NUMBERS, of each step. Ends the test if
        the program fails. `settings` are as for start()."""
        result = self.start(ranks, "--json", *options, **settings)
        if result.returncode != 0:
            raise SystemExit(f"{self.path.name} on {ranks} GPUs: {result.stdout}{result.stderr}"
                             f"exit status {result.returncode}")
        return values(result, value)


# What a step computes.
NUMBERS = ("loss", "gradient_norm")


def values(result, value):
    """Returns the printed value of each step of a run, or its values if `value` is a tuple."""
    steps = [json.loads(line) for line in result.stdout.splitlines()]
    if isinstance(value, tuple):
        return [tuple(step[name] for name in value) for step in steps]
    return [step[value] for step in steps]
