"""A training step of a GPT in PyTorch, timed on request, for the comparison in step.py.

  python3 torch_step.py [--fused] [--compile] CONFIG    (a JSON object)

Prints the version of PyTorch on the first line. Then, for every number on standard input, runs this
number of steps and prints the seconds of each as a JSON list. Runs in any Python with PyTorch. --fused
uses features of versions from 2 on: scaled_dot_product_attention, and an AdamW of one kernel.
--compile also passes the loss to torch.compile.
"""

import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "models"), str(ROOT / "test/torch")]
import gpt  # noqa: E402
import gpt_layers  # noqa: E402
import torch  # noqa: E402
import torch_gpt  # noqa: E402


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("--fused", action="store_true")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    step = Step(gpt.Config(**json.loads(options.config)), options.fused,
                options.compile)
    print(torch.__version__, flush=True)
    for line in sys.stdin:
        print(json.dumps([step.run() for _ in range(int(line))]), flush=True)


class Step:
    def __init__(self, config, is_fused, is_compiled):
        torch.set_num_threads(1)
        torch.manual_seed(1)
        parameters = {
            parameter.name: (0.02 * torch.randn(parameter.shape)).requires_grad_()
            for parameter in gpt_layers.parameters(config)}
        model = (torch_gpt.FusedGpt if is_fused else torch_gpt.Gpt)(parameters)
        self._loss = torch.compile(model.loss) if is_compiled else model.loss
        fused = {"fused": True} if is_fused else {}
        self._optimizer = torch.optim.AdamW(parameters.values(), lr=1e-3, **fused)
        self._batch = torch.randint(config.vocabulary,
                                    (2, config.batch, config.sequence))

    def run(self):
        """Returns the seconds of one step."""
        begin = time.perf_counter()
        self._optimizer.zero_grad(set_to_none=True)
        self._loss(*self._batch).backward()
        self._optimizer.step()
        return time.perf_counter() - begin


if __name__ == "__main__":
    main()
