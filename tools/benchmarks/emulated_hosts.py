"""The project's programs on emulated hosts: bazel-bin/tools/sbp-hosts, from Python."""

import dataclasses
import json
import subprocess

CANNOT_EMULATE = 77  # exit status of sbp-hosts if the kernel refuses


class CannotEmulate(Exception):
    """This kernel, or this user, cannot emulate hosts; the message has the reason."""


@dataclasses.dataclass(frozen=True)
class Tools:
    """Paths of the binaries."""

    sbpc: str
    sbprun: str
    sbp_hosts: str


@dataclasses.dataclass(frozen=True)
class Cluster:
    """Hosts behind links of one kind."""

    tools: Tools
    hosts: int
    ranks: int        # per host
    bandwidth: float  # bytes per second, each way
    latency: float    # seconds from host to host

    def run(self, *words):
        """Returns the output of `sbprun` with the arguments `words`, started on every host."""
        return run(self.tools.sbp_hosts, "--hosts", self.hosts,
                   "--bandwidth", self.bandwidth, "--latency", self.latency,
                   self.tools.sbprun, "-n", self.ranks, "--nodes", self.hosts,
                   "--node-rank", "{host}", "--master-addr", "{address}", *words)

    def calibrate(self, machine, sizes, repetitions):
        """Measures the cluster and writes the machine to the path `machine`. Returns how
        well it fits."""
        lines = self.run("--calibrate", "--json", "-o", machine, "--sizes",
                         ",".join(map(str, sizes)), "--repetitions", repetitions)
        return json.loads(lines.splitlines()[-1])["fit"]


def run(*command):
    """Returns the output of `command`. If it fails, raises CannotEmulate, or RuntimeError with
    all of its output."""
    command = [str(word) for word in command]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            stdin=subprocess.DEVNULL, text=True, check=False)
    if result.returncode == CANNOT_EMULATE:
        raise CannotEmulate(result.stderr.strip())
    if result.returncode != 0:
        raise RuntimeError(f"$ {' '.join(command)}\n{result.stdout}{result.stderr}"
                           f"exit status {result.returncode}")
    return result.stdout
