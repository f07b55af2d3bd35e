#!/usr/bin/python3
"""Plans put the heavy communication on the fast links.

On two nodes of eight devices, for VGG-13 and VGG-16 at full size (AutoDDL, section 5.3)
and for GPTs, by what sbpc explain says of the plan that the search finds:

  - Little of what a device sends crosses nodes: at most a tenth.
  - That is for the prices, not for the shape of the machine: if the two levels change
    theirs, more than half of it crosses nodes; if all links are fast ones, several
    times as much as before.
  - It pays: the collectives of the plan for a machine whose links are all fast ones
    take much longer on this one. Most of that is which way a tensor goes, so that plan
    may lie well on this machine too, but never better than the plan for it.
"""

import json
import sys

import training

# Of what a device sends, what crosses nodes.
LARGEST_SHARE = 0.1
SMALLEST_SHARE_IF_SWAPPED = 0.5
# What crosses nodes if these links are as fast as the others, by what does so else.
LEAST_GROWTH = 4.0
# What the collectives of the plan for such links take on the machine, and its ops, by
# what the plan for the machine does.
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
    """The machine of `text` with other prices for its levels."""
    parts = text.split(SLOW)
    if len(parts) != 2 or text.count(FAST) != 1:
        sys.exit(f"the machine does not have the prices {SLOW} and {FAST}:\n{text}")
    return node.join(part.replace(FAST, gpu) for part in parts)


class Explained:
    """What is said of @train_step of a model on a machine."""

    def __init__(self, tools, model, machine):
        report = json.loads(training.run(tools.sbpc, "explain", model, "--machine",
                                         machine, "--json"))
        entry = next(e for e in report["entries"] if e["entry"] == "train_step")
        self.seconds = entry["seconds"]
        self.computing = entry["computing"]
        self.sent = {level["axes"][0]: level["bytes"] for level in entry["levels"]}
        self.share = self.sent["node"] / sum(self.sent.values())


def failures_of(tools, name, model, machines):
    """What does not hold for a model, a sentence each."""
    real, swapped, alike = (Explained(tools, model, machines[which])
                            for which in ("real", "swapped", "alike"))
    placed = model.with_suffix(".placed.mlir")
    training.run(tools.sbpc, model, "--machine", machines["alike"], "--emit", "placed",
                 "-o", placed)
    moved = Explained(tools, placed, machines["real"])
    # Without what it takes to begin a message.
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
