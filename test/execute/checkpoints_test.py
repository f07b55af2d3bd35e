#!/usr/bin/python3
"""Training resumes from a checkpoint, with another cut into stages, as if uninterrupted.

A GPT with a tied head under Adam, and a residual network under SGD with momentum, train for
five steps with each of these cuts: four stages by 1f1b, data parallelism, two groups of two
ranks by Chimera, one rank, two groups that run four stages there and back, and four stages
again. The losses agree within 1e-5, relative, with those of one rank that is never
interrupted. A run without steps saves exactly the tensors that it has loaded.
"""

import dataclasses
import pathlib
import sys

import training

TOLERANCE = 1e-5
STEPS = 5  # with each cut
BATCH = 16
MICRO_BATCHES = 4  # in all cuts, as batch normalisation uses statistics per micro-batch

IN_TURNS = "[@group0, @group1, @group0, @group1]"
THERE_AND_BACK = "[@group0, @group1, @group1, @group0]"
FOUR = ["-n", 4, "--stages", 4]
PAIRS = ["-n", 4, "--stages", 2]
SHARED = ["-n", 2, "--stages", 4, "--groups", 2]


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    folder: pathlib.Path
    data: list

    @property
    def model(self):
        return self.folder / "model.mlir"

    @property
    def by_samples(self):
        """Returns the model, pinned to four ranks that split the batch."""
        return self.folder / "by_samples.mlir"


def networks(tools):
    gpt = Network("GPT", training.scratch(), ["--text", tools.text])
    residual = training.scratch()
    residual = Network("residual network", residual,
                       training.write_images(residual, 2 * BATCH, 8, classes=5))
    for network, generator, extents in (
            (gpt, tools.generator, ["--layers", 4, "--width", 32, "--heads", 4,
                                    "--vocabulary", 253, "--sequence", 8, "--tie-head"]),
            (residual, tools.cnn, ["--extent", 8, "--width", 4, "--stages", 2, "--blocks",
                                   2, "--classes", 5])):
        extents = [*extents, "--batch", BATCH]
        training.run(generator, *extents, "-o", network.model)
        training.run(generator, *extents, "--plan", "data-parallel", "--mesh", 4, "-o",
                     network.by_samples)
        yield network


def there_and_back(tools, network):
    """Returns the model in four stages, where one of two groups has the first and the last
    one."""
    path = network.folder / "there_and_back.mlir"
    training.run(tools.sbpc, network.model, *SHARED, "--emit", "logical", "-o", path)
    text = path.read_text()
    if IN_TURNS not in text:
        sys.exit(f"{path}: stages are not {IN_TURNS}")
    path.write_text(text.replace(IN_TURNS, THERE_AND_BACK))
    return path


def programs(tools, network):
    """Returns the programs that the training passes, with names, and that of one rank."""
    def compiled(name, model, *options):
        return name, training.Program.compiled(
            tools, network.folder / name, model, "--micro-batches", MICRO_BATCHES, *options)

    stages = compiled("four stages", network.model, *FOUR, "--schedule", "1f1b")
    one = compiled("one rank", network.model, "-n", 1)
    return [stages,
            compiled("data parallelism", network.by_samples),
            compiled("two groups", network.model, *PAIRS, "--schedule", "chimera"),
            one,
            compiled("there and back", there_and_back(tools, network),
                     "--schedule", "zb-v", "--execute", "messages"),
            stages], one[1]


def failures_of(tools, network):
    """Yields the differences to an uninterrupted training, one sentence each."""
    options = [*network.data, "--lr", 0.01, "--seed", 7]
    passed, one = programs(tools, network)
    expected = one.train(*options, "--steps", STEPS * len(passed))
    loaded, kept = (network.folder / name for name in ("loaded", "kept"))
    start = []
    for number, (name, program) in enumerate(passed):
        if start:
            program.train(*network.data, *start, "--entry", "loss", "--steps", 1, "--save",
                          kept)
            if training.read_tensors(kept) != training.read_tensors(loaded):
                yield f"{network.name}, {name}: saves other tensors than it has loaded"
        losses = program.train(*options, *start, "--steps", STEPS, "--save", loaded)
        part = expected[number * STEPS:][:STEPS]
        difference = training.largest_difference(losses, part)
        print(f"{network.name}, {name}: losses differ by {difference:.2g}")
        if difference > TOLERANCE:
            yield f"{network.name}, {name}: {losses}, not {part}"
        start = ["--load", loaded]


def main():
    tools = training.parse_tools("cnn", "text")
    failures = [failure for network in networks(tools)
                for failure in failures_of(tools, network)]
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
