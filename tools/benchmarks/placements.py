"""Ten ways to place one GPT on the ranks of a cluster.

Some are pinned by a plan (models/plans.py). The others are plans that the search finds for other
machines: with slow devices, so that it distributes the work, and with links of various kinds. Each
placed program is then boxed, priced and compiled for the measured machine.
"""

import dataclasses
import json
import pathlib
import re
import sys

from emulated_hosts import run

ROOT = pathlib.Path(__file__).absolute().parent.parent.parent
sys.path.append(str(ROOT / "models"))
import gpt  # noqa: E402
import plans  # noqa: E402

TRAIN_ENTRY = "train_step"


@dataclasses.dataclass(frozen=True)
class Belief:
    """A machine for which the search finds a plan, in place of the real one; all of its
    levels are alike."""

    alpha: float          # seconds per message
    beta: float           # seconds per byte
    flops: float          # per second and device; its memory moves ten times as many bytes
    memory: float = 1e10  # bytes of a device


@dataclasses.dataclass(frozen=True)
class Placement:
    """Pins, with a style for each of two mesh axes; or a belief, for which the search
    finds a plan."""

    name: str
    styles: tuple = ()
    belief: Belief = None


PLACEMENTS = (
    Placement("data", (plans.DATA, plans.DATA)),
    Placement("megatron", (plans.MODEL, plans.MODEL)),
    Placement("zero", (plans.ZERO, plans.ZERO)),
    Placement("data x megatron", (plans.DATA, plans.MODEL)),
    Placement("megatron x data", (plans.MODEL, plans.DATA)),
    Placement("zero x megatron", (plans.ZERO, plans.MODEL)),
    Placement("megatron x depth", (plans.MODEL, plans.DEPTH)),
    Placement("searched: bandwidth counts", belief=Belief(1e-9, 1e-8, 1e8)),
    Placement("searched: latency counts", belief=Belief(1e-3, 1e-12, 1e8)),
    Placement("searched: memory counts", belief=Belief(1e-4, 1e-8, 1e8, 1e7)),
)


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine: the text of its sbp.machine, and its levels."""

    text: str
    levels: tuple  # (name, count) each, outermost first

    @staticmethod
    def read(path):
        """Returns the machine in a file that a calibration has written."""
        text = re.search(r"^sbp\.machine .*", path.read_text(), re.M | re.S)[0].strip()
        levels = tuple((name, int(count)) for name, count
                       in re.findall(r'#sbp\.level<"(\w+)" x (\d+)', text))
        return Machine(text, levels)

    def believed(self, belief):
        """Returns a machine with the same levels and the prices of `belief`."""
        levels = ", ".join(
            f'#sbp.level<"{name}" x {count}, alpha = {belief.alpha:.3e}, '
            f"beta = {belief.beta:.3e}>" for name, count in self.levels)
        return Machine(
            f"sbp.machine @cluster [{levels}] device #sbp.device<"
            f"memory = {belief.memory:.3e}, bandwidth = {10 * belief.flops:.3e}, "
            f"rates = [#sbp.rate<f32, {belief.flops:.3e}>]>", self.levels)

    def mesh(self):
        """Returns two axes: one per level, or both in the only level."""
        axes = self.levels
        if len(axes) == 1:
            (name, count), = axes
            first = next(i for i in range(2, count + 1) if count % i == 0)
            axes = ((name, first), (name, count // first))
        listed = ", ".join(f'#sbp.axis<"axis{i}" x {size} in "{name}">'
                           for i, (name, size) in enumerate(axes))
        return f"sbp.mesh @grid of @cluster [{listed}]"


class PinsOnly(plans.Plan):
    """Pins for a mesh @grid that is defined elsewhere."""

    def machine(self):
        return ""


def place(tools, placement, config, machine, folder):
    """Returns the placed program as text, with `machine` in it."""
    model, file = folder / "model.mlir", folder / "machine.mlir"
    model.write_text(gpt.model(config, PinsOnly(placement.styles, ())))
    assumed = machine.believed(placement.belief) if placement.belief else machine
    file.write_text(f"{assumed.text}\n{assumed.mesh()}\n")
    placed = run(tools.sbpc, model, "--machine", file, "--mesh", "grid",
                 "--place-by", "search" if placement.belief else "propagation",
                 "--emit", "placed")
    placed, count = re.subn(r"^ *sbp\.machine .*", lambda _: machine.text, placed,
                            flags=re.M)
    if count != 1:
        raise RuntimeError(f"{count} machines in a placed program:\n{placed}")
    return placed


def predicted_seconds(tools, placed):
    """Returns the communication time of a training step of the program in the file
    `placed`, from the prices of its machine."""
    report = json.loads(run(tools.sbpc, "explain", placed, "--json"))
    entry = next(entry for entry in report["entries"] if entry["entry"] == TRAIN_ENTRY)
    return sum(function["communicating"] for function in entry["functions"])
