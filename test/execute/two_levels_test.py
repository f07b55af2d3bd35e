#!/usr/bin/python3
"""Plans put most communication on the fast links.

On two nodes of eight devices, for VGG-13 and VGG-16 at full size (AutoDDL, section 5.3) and for
GPTs, by the report of sbpc explain on the searched plan:

  - At most a tenth of the bytes that a device sends cross nodes.
  - The reason is the prices, not the shape of the machine. If the two levels swap their prices,
    more than half of the bytes cross nodes; if all links are fast, several times as many as
    before.
  - It pays. The collectives of the plan for a machine with fast links only take much longer on
    this machine. Most of the difference is the direction in which a tensor moves, so that plan
    may be good on this machine too, but never better than the plan for it.
"""

import json
import sys

import training

# Greatest share of a device's sent bytes that cross nodes.
LARGEST_SHARE = 0.1
SMALLEST_SHARE_IF_SWAPPED = 0.5
# Least factor of the bytes that cross nodes, if these links are as fast as the others.
LEAST_GROWTH = 4.0
# Least factors of the time of the collectives, and of all ops, on the machine: those of the
# plan for such links, relative to those of the machine's own plan.
LEAST_GAIN = 1.2

VGG = {
    "VGG-13": ["--layers", "13", "--batch", "256"],
    "VGG-16": ["--layers", "16", "--batch", "128"],
}
GPT = {
    "GPT-2": ["--preset", "gpt2", "--batch", "32"],
    "a GPT of 24 layers": ["--layers", "24", "--width", "2048", "--heads", "16",
                           "--vocabulary", "50304", "--sequence", "1024",
                           "--batch", "32"],
}
NODE_SECONDS_PER_BYTE = 6.4e-10
SLOW = "alpha = 9.6e-6, beta = 6.4e-10"
FAST = "alpha = 3.4e-6, beta = 4.26e-12"


def machine_with(text, node, gpu):
    """Returns the machine of `text` with other prices for its levels."""
    parts = text.split(SLOW)
    if len(parts) != 2 or text.count(FAST) != 1:
        sys.exit(f"the machine does not have the prices {SLOW} and {FAST}:\n{text}")
    return node.join(part.replace(FAST, gpu) for part in parts)


class Explained:
    """The report on @train_step of a model on a machine."""

    def __init__(self, tools, model, machine):
        report = json.loads(training.run(tools.sbpc, "explain", model, "--machine",
                                         machine, "--no-pipeline", "--json"))
        entry = next(e for e in report["entries"] if e["entry"] == "train_step")
        self.seconds = entry["seconds"]
        self.computing = entry["computing"]
        self.sent = {level["axes"][0]: level["bytes"] for level in entry["levels"]}
        self.share = self.sent["node"] / sum(self.sent.values())


def failures_of(tools, name, model, machines):
    """Yields the claims that do not hold for a model, one sentence each."""
    real, swapped, alike = (Explained(tools, model, machines[which])
                            for which in ("real", "swapped", "alike"))
    placed = model.with_suffix(".placed.mlir")
    training.run(tools.sbpc, model, "--machine", machines["alike"], "--emit", "placed",
                 "-o", placed)
    moved = Explained(tools, placed, machines["real"])
    # Without the latency of messages.
    least = alike.computing + alike.sent["node"] * NODE_SECONDS_PER_BYTE
    growth = alike.sent["node"] / real.sent["node"]
    gain = least / real.seconds
    print(f"{name}: {real.sent['node'] / 1e6:.1f} MB between nodes, "
          f"{real.sent['gpu'] / 1e6:.1f} MB within, {100 * real.share:.1f} %; with "
          f"prices swapped {100 * swapped.share:.1f} %; with fast links {growth:.1f} x "
          f"between nodes, and as that {gain:.2f} x as long, on other ways "
          f"{moved.seconds / real.seconds:.3f} x")
    if real.share > LARGEST_SHARE:
        yield f"{name}: {100 * real.share:.1f} % of the bytes cross nodes"
    if swapped.share < SMALLEST_SHARE_IF_SWAPPED:
        yield (f"{name}: with fast links between nodes and slow ones within, only "
               f"{100 * swapped.share:.1f} % of the bytes cross nodes")
    if growth < LEAST_GROWTH:
        yield (f"{name}: with fast links only {growth:.2f} times as many bytes cross "
               "nodes")
    if gain < LEAST_GAIN:
        yield (f"{name}: what is sent over fast links would take only {gain:.2f} times "
               "as long")
    if moved.seconds < real.seconds * (1 - 1e-9):
        yield (f"{name}: the plan for fast links takes {moved.seconds}, the one for the "
               f"machine {real.seconds}")


def main():
    tools = training.parse_tools("vgg", "machine")
    folder = training.scratch()
    with open(tools.machine) as file:
        text = file.read()
    machines = {}
    for which, node, gpu in (("real", SLOW, FAST), ("swapped", FAST, SLOW),
                             ("alike", FAST, FAST)):
        machines[which] = folder / f"{which}.mlir"
        machines[which].write_text(machine_with(text, node, gpu))
    failures = []
    for generator, models in ((tools.vgg, VGG), (tools.generator, GPT)):
        for name, extents in models.items():
            model = folder / "model.mlir"
            training.run(generator, *extents, "-o", model)
            failures += failures_of(tools, name, model, machines)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
