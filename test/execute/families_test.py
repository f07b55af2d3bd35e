#!/usr/bin/python3
"""Networks other than GPTs train as on one rank, with every family of schedules.

`sbpc --stages` cuts a residual network with batch normalisation, a VGG with pooling, and a
perceptron: for four ranks with a stage each, for two ranks that run four stages in turns or
there and back, and for two groups of two ranks. Ranks are threads that keep the order of the
schedule, or processes that run tasks by messages. Over 20 steps of SGD with momentum the
losses agree within 1e-5, relative, with those of one rank with the same number of
micro-batches, and so do the final parameters, relative to the largest element of the tensor.
The perceptron, which compiles fast, runs every family in both ways, which agree in every bit.
The other networks run families that differ in their backward passes and directions.
"""

import dataclasses
import pathlib
import random
import re
import sys

import training

TOLERANCE = 1e-5
MICRO_BATCHES = 8
BATCH = 16
CLASSES = 5
# Of the perceptron's layers, from inputs to scores. Layers that are alike share kernels.
WIDTHS = [24, 32, 32, 32, 32, 32, 32, CLASSES]

# Number of ranks, cut of the model, and the families of schedules for it.
IN_TURNS = ["--stages", 4, "--groups", 2]
THERE_AND_BACK = [*IN_TURNS, "--schedule", "zb-v"]
ALL = [
    (4, ["--stages", 4],
     ["gpipe", "1f1b", "eager-1f1b", "list", "zb-h1", "zb-h2", "gems", "dualpipe",
      "chimera", "chimera<variant = doubling>", "chimera<variant = halving>"]),
    (2, IN_TURNS, ["interleaved"]),
    (2, THERE_AND_BACK, ["zb-v", "dualpipe-v"]),
    (4, ["--stages", 2], ["1f1b<recompute = true>", "zb-h1", "chimera"]),
]
OF_RESIDUAL = [
    (4, ["--stages", 4], ["gpipe", "zb-h1", "chimera<variant = halving>"]),
    (2, THERE_AND_BACK, ["zb-v"]),
    (4, ["--stages", 2], ["1f1b<recompute = true>", "chimera"]),
]
OF_VGG = [
    (4, ["--stages", 4], ["dualpipe"]),
    (2, IN_TURNS, ["interleaved"]),
]


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    model: pathlib.Path
    options: list  # for data and training
    families: list
    in_both_ways: bool = False  # otherwise alternately in one of them


def tensor(*shape):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}f32>"


def perceptron():
    """Returns the text of a perceptron of WIDTHS, with rectifiers between its layers."""
    parameters, body, value = [], [], "%x"
    for i, (before, after) in enumerate(zip(WIDTHS, WIDTHS[1:])):
        weight, bias, rows = tensor(before, after), tensor(after), tensor(BATCH, after)
        parameters += [
            f"nn.parameter @weight{i} : {weight} = #nn.normal<{(2 / before) ** 0.5:.4f}>",
            f"nn.parameter @bias{i} : {bias} = #nn.zeros"]
        body += [
            f"  %weight{i} = nn.get @weight{i} : {weight}",
            f"  %bias{i} = nn.get @bias{i} : {bias}",
            f'  %product{i} = nn.einsum "bi,ij->bj" {value}, %weight{i}',
            f"      : ({tensor(BATCH, before)}, {weight}) -> {rows}",
            f"  %sum{i} = nn.add %product{i}, %bias{i} : ({rows}, {bias}) -> {rows}",
            f"  %active{i} = nn.relu %sum{i} : {rows}"]
        value = f"%active{i}"
    scores, labels = f"%sum{len(WIDTHS) - 2}", f"tensor<{BATCH}xi32>"
    return "\n".join([
        *parameters,
        f'func.func @loss(%x: {tensor(BATCH, WIDTHS[0])} {{nn.input = "x"}},',
        f'                %labels: {labels} {{nn.input = "labels"}})',
        '    -> (tensor<f32> {nn.output = "loss"})',
        "    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {",
        *body[:-1],
        f"  %loss = nn.cross_entropy {scores}, %labels",
        f"      : ({tensor(BATCH, CLASSES)}, {labels}) -> tensor<f32>",
        "  return %loss : tensor<f32>", "}"])


def networks(tools):
    """Returns the networks. Learning rates are so small that rounding errors do not change
    the sign at a rectifier."""
    common = ["--steps", 20, "--seed", 7, "--lr", 0.01]
    images = ["--batch", BATCH, "--classes", CLASSES]

    folder = training.scratch()
    training.run(tools.generator, *images, "--extent", 8, "--width", 4, "--stages", 1,
                 "--blocks", 3, "-o", folder / "model.mlir")
    yield Network("residual network", folder / "model.mlir", [
        *common, *training.write_images(folder, BATCH, 8, CLASSES)], OF_RESIDUAL)

    folder = training.scratch()
    training.run(tools.vgg, *images, "--layers", 11, "--extent", 32, "--divisor", 32,
                 "-o", folder / "model.mlir")
    yield Network("VGG", folder / "model.mlir", [
        *common, *training.write_images(folder, BATCH, 32, CLASSES)], OF_VGG)

    folder = training.scratch()
    (folder / "model.mlir").write_text(perceptron())
    numbers = random.Random(1)
    rows = [numbers.gauss(0, 1) for _ in range(BATCH * WIDTHS[0])]
    labels = [numbers.randrange(CLASSES) for _ in range(BATCH)]
    yield Network("perceptron", folder / "model.mlir", [
        *common, *training.write_data(folder, "x", "f", (BATCH, WIDTHS[0]), rows),
        *training.write_data(folder, "labels", "i", (BATCH,), labels)], ALL,
                  in_both_ways=True)


@dataclasses.dataclass(frozen=True)
class Run:
    losses: list
    tensors: dict  # saved at the end, by name


class Trainer:
    """Trains a network with any cut of the model."""

    def __init__(self, tools, network):
        self._tools = tools
        self._network = network

    def cut(self, options):
        """Returns the cut model."""
        path = self._network.model.with_name("cut.mlir")
        training.run(self._tools.sbpc, self._network.model, *options, "--micro-batches",
                     MICRO_BATCHES, "--emit", "logical", "-o", path)
        # The schedule of the text would stand against those of the options.
        text, count = re.subn(r"  sbp\.schedule .*?\]\n", "", path.read_text(),
                              flags=re.DOTALL)
        assert count == 1, f"{path} has {count} schedules"
        path.write_text(text)
        return path

    def one_rank(self, micro_batches):
        return self._run(self._network.model, 1, "-n", 1, "--micro-batches", micro_batches)

    def by_schedule(self, model, ranks, schedule):
        """Trains with threads as ranks."""
        return self._run(model, ranks, "--schedule", schedule, "--micro-batches",
                         MICRO_BATCHES)

    def by_messages(self, model, ranks, schedule):
        """Trains with processes as ranks."""
        return self._run(model, ranks, "--schedule", schedule, "--micro-batches",
                         MICRO_BATCHES, "--execute", "messages", processes=True)

    def _run(self, model, ranks, *options, processes=False):
        folder = self._network.model.parent
        program = training.Program.compiled(self._tools, folder / "program", model,
                                            *options)
        program.ranks = ranks
        file = folder / "saved.safetensors"
        losses = program.train(*self._network.options, "--save", file,
                               processes=processes)
        return Run(losses, training.read_tensors(file))


def failures_of_run(what, run, expected):
    by_loss = training.largest_difference(run.losses, expected.losses)
    by_tensor = training.largest_difference_of_tensors(run.tensors, expected.tensors)
    print(f"{what}: losses differ by {by_loss:.2g}, tensors by {by_tensor:.2g}")
    if by_loss > TOLERANCE:
        yield f"{what}: {run.losses}, not {expected.losses}"
    if by_tensor > TOLERANCE:
        yield f"{what}: tensors differ by {by_tensor:.2g}"


def failures_of(tools, network):
    """Yields the differences between `network` by a family and on one rank, one sentence
    each."""
    trainer = Trainer(tools, network)
    whole = trainer.one_rank(MICRO_BATCHES)
    if not whole.losses[-1] < 0.9 * whole.losses[0]:
        yield f"{network.name}: the loss hardly falls: {whole.losses}"
    ways = [trainer.by_schedule, trainer.by_messages]
    for ranks, options, schedules in network.families:
        model = trainer.cut(["-n", ranks, *options])
        for schedule in schedules:
            runs = [way(model, ranks, schedule)
                    for way in (ways if network.in_both_ways else ways[:1])]
            what = f"{network.name}, {ranks} ranks, {schedule}"
            # There batch normalisation uses the statistics of half a micro-batch.
            expected = (trainer.one_rank(2 * MICRO_BATCHES) if "halving" in schedule
                        else whole)
            for run in runs:
                yield from failures_of_run(what, run, expected)
            if any(run != runs[0] for run in runs):
                yield (f"{what}: by messages and by the schedule differ: "
                       f"{[run.losses for run in runs]}")
            ways.reverse()


def main():
    tools = training.parse_tools("vgg")
    failures = [failure for network in networks(tools)
                for failure in failures_of(tools, network)]
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
