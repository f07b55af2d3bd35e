"""A training step of a GPT on one thread: a compiled program against PyTorch.

Both take AdamW steps on random tokens, in turns, so that what else the machine does
hits both; the fastest step of each counts. FLOPs are those of the products alone:
6 per weight and token, 12 per layer, token, position and element of the width for
attention, as if it were not causal.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "models"), str(ROOT / "test/torch")]
import gpt  # noqa: E402
import gpt_layers  # noqa: E402

WARM_UP = 2  # steps of each turn that do not count


def main():
    options = parse_options()
    extents = vars(options)
    config = gpt.Config(**{name: extents[name] for name in (
        "layers", "width", "heads", "vocabulary", "batch", "sequence")})
    with tempfile.TemporaryDirectory() as folder:
        ours = CompiledStep(config, pathlib.Path(folder))
        torch_step = TorchStep(config)
        seconds = {"ours": [], "PyTorch": []}
        for _ in range(options.turns):
            seconds["ours"] += ours.run(options.steps)
            seconds["PyTorch"] += torch_step.run(options.steps)
    fastest = {name: min(each) for name, each in seconds.items()}
    tokens = config.batch * config.sequence
    for name, step in fastest.items():
        print(f"{name:8} {step * 1e3:9.1f} ms/step {tokens / step:10.0f} tokens/s "
              f"{flops(config) / step * 1e-9:7.1f} GF/s")
    print(f"ours / PyTorch, by speed: {fastest['PyTorch'] / fastest['ours']:.3f}")


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench step", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("layers", 6), ("width", 384), ("heads", 6),
                          ("vocabulary", 256), ("batch", 8), ("sequence", 256)):
        parser.add_argument(f"--{name}", type=int, default=default,
                            help=f"default: {default}")
    parser.add_argument("--steps", type=int, default=5,
                        help="that count, in a turn (default: 5)")
    parser.add_argument("--turns", type=int, default=3,
                        help="of each of the two (default: 3)")
    return parser.parse_args()


def flops(config):
    weights = sum(
        math.prod(parameter.shape) for parameter in gpt_layers.parameters(config)
        if parameter.role in ("query", "key", "value", "output", "up", "down", "head"))
    tokens = config.batch * config.sequence
    return tokens * (6 * weights
                     + 12 * config.layers * config.sequence * config.width)


class CompiledStep:
    """The step as a program of ours."""

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
        """The seconds of each of `steps` steps."""
        result = subprocess.run(
            [self._program, "--in-process", "--json", "--lr", "1e-3", "--steps",
             str(WARM_UP + steps), *self._data],
            check=True, stdout=subprocess.PIPE, text=True)
        # Seconds since the first step began, after each step.
        ends = [json.loads(line)["seconds"] for line in result.stdout.splitlines()]
        return [end - begin for begin, end in zip(ends, ends[1:])][WARM_UP - 1:]


class TorchStep:
    """The step in PyTorch."""

    def __init__(self, config):
        import torch
        import torch_gpt
        torch.set_num_threads(1)
        torch.manual_seed(1)
        parameters = {
            parameter.name: (0.02 * torch.randn(parameter.shape)).requires_grad_()
            for parameter in gpt_layers.parameters(config)}
        self._model = torch_gpt.Gpt(parameters)
        self._optimizer = torch.optim.AdamW(parameters.values(), lr=1e-3)
        self._batch = torch.randint(config.vocabulary,
                                    (2, config.batch, config.sequence))

    def run(self, steps):
        """The seconds of each of `steps` steps."""
        seconds = []
        for _ in range(WARM_UP + steps):
            begin = time.perf_counter()
            self._optimizer.zero_grad(set_to_none=True)
            self._model.loss(*self._batch).backward()
            self._optimizer.step()
            seconds.append(time.perf_counter() - begin)
        return seconds[WARM_UP:]


if __name__ == "__main__":
    main()
