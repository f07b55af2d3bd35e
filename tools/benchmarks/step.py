"""A training step of a GPT on one thread: a compiled program and PyTorch.

All of them run AdamW steps on random tokens, in turns, so that other work on the machine affects all
alike. Prints the median, the shortest and the longest of all steps, and the speedup of the compiled
program: of the medians over all turns, and the least and the greatest of a turn. FLOPs are those of
the matrix products only: 6 per weight and token, and for attention 12 per layer, token, position and
element of the width, as if it were not causal.

Debian's PyTorch runs the model as it is written. --peers FOLDER adds the current PyTorch that
`tools/setup --peers FOLDER` installs, with scaled_dot_product_attention and the fused AdamW, with and
without torch.compile.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "models")]
import gpt  # noqa: E402
import gpt_layers  # noqa: E402

WARM_UP = 2  # steps of each turn that do not count
CONFIG = (("layers", 6), ("width", 384), ("heads", 6), ("vocabulary", 256),
          ("batch", 8), ("sequence", 256))


def main():
    options = parse_options()
    extents = {name: getattr(options, name) for name, _ in CONFIG}
    config = gpt.Config(**extents)
    with tempfile.TemporaryDirectory() as folder:
        ours = CompiledStep(config, pathlib.Path(folder))
        peers = list(torch_steps(extents, options.peers))
        turns = [[each.run(options.steps) for each in (ours, *peers)]
                 for _ in range(options.turns)]
    print(f"{'':26}{'ms/step':>9}{'':>18}{'tokens/s':>10}{'GF/s':>7}  ours by speed")
    our_turns = [turn[0] for turn in turns]
    for index, each in enumerate((ours, *peers)):
        print_line(each, config, [turn[index] for turn in turns],
                   our_turns if index else None)


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench step", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in CONFIG:
        parser.add_argument(f"--{name}", type=int, default=default,
                            help=f"{name} of the GPT ({default})")
    parser.add_argument("--steps", type=int, default=5,
                        help="number of measured steps per turn (5)")
    parser.add_argument("--turns", type=int, default=3,
                        help="number of turns of each side (3)")
    parser.add_argument("--peers", type=pathlib.Path, metavar="FOLDER",
                        help="where tools/setup --peers has put a current PyTorch")
    return parser.parse_args()


def print_line(step, config, turns, our_turns):
    """Prints a line for steps that took turns[turn][number] seconds, compared with the
    program's."""
    seconds = [each for turn in turns for each in turn]
    median = statistics.median(seconds)
    tokens = config.batch * config.sequence
    ratio = ""
    if our_turns:
        ratios = [statistics.median(theirs) / statistics.median(own)
                  for theirs, own in zip(turns, our_turns)]
        of_all = median / statistics.median(each for turn in our_turns for each in turn)
        ratio = f"  {of_all:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    spread = f"({min(seconds) * 1e3:.1f} to {max(seconds) * 1e3:.1f})"
    print(f"{step.name:26}{median * 1e3:9.1f}{spread:>18}{tokens / median:10.0f}"
          f"{flops(config) / median * 1e-9:7.1f}{ratio}")


def flops(config):
    weights = sum(
        math.prod(parameter.shape) for parameter in gpt_layers.parameters(config)
        if parameter.role in ("query", "key", "value", "output", "up", "down", "head"))
    tokens = config.batch * config.sequence
    return tokens * (6 * weights
                     + 12 * config.layers * config.sequence * config.width)


class CompiledStep:
    """The step in a compiled program."""

    name = "ours"

    def __init__(self, config, folder):
        import numpy
        model, self._program = folder / "gpt.mlir", folder / "gpt"
        model.write_text(gpt.model(config, gpt.plans.Plan.named("none", ())))
        subprocess.run([ROOT / "bazel-bin/tools/sbpc", model, "-n", "1", "-o",
                        self._program], check=True)
        self._data = []
        generator = numpy.random.default_rng(1)
        for name in ("tokens", "targets"):
            path = folder / f"{name}.npy"
            numpy.save(path, generator.integers(
                config.vocabulary, size=(config.batch, config.sequence),
                dtype=numpy.int32))
            self._data += ["--data", f"{name}={path}"]

    def run(self, steps):
        """Returns the seconds of each of `steps` steps."""
        result = subprocess.run(
            [self._program, "--in-process", "--json", "--lr", "1e-3", "--steps",
             str(WARM_UP + steps), *self._data],
            check=True, stdout=subprocess.PIPE, text=True)
        # Seconds from the start of the first step to the end of each step.
        ends = [json.loads(line)["seconds"] for line in result.stdout.splitlines()]
        return [end - begin for begin, end in zip(ends, ends[1:])][WARM_UP - 1:]


def torch_steps(extents, peers):
    """Returns the step in Debian's PyTorch, and in that of the folder `peers`, if
    given."""
    yield TorchStep(extents, "/usr/bin/python3", (), "")
    if peers:
        python = peers / "bin/python"
        if not python.exists():
            sys.exit(f"bench step: there is no {python}; tools/setup --peers {peers} "
                     "makes it")
        yield TorchStep(extents, python, ("--fused",), ", fused")
        yield TorchStep(extents, python, ("--fused", "--compile"), ", compiled")


class TorchStep:
    """The step in PyTorch, in a separate process that waits between turns."""

    def __init__(self, extents, python, options, suffix):
        self._process = subprocess.Popen(
            [python, ROOT / "tools/benchmarks/torch_step.py", *options,
             json.dumps(extents)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = f"PyTorch {self._answer().strip()}{suffix}"

    def run(self, steps):
        """Returns the seconds of each of `steps` steps."""
        print(WARM_UP + steps, file=self._process.stdin, flush=True)
        return json.loads(self._answer())[WARM_UP:]

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"bench step: {' '.join(map(str, self._process.args))} ended "
                     f"with status {self._process.wait()}")
        return line


if __name__ == "__main__":
    main()
