#!/usr/bin/python3
"""Ops of plug-ins train a model like the ops of nn that compute the same.

One feed-forward network has the activation primer.squared_relu, another one nn.relu and nn.mul
in its place. The two models of plugins/mamba have mamba.gated_norm, and five ops of nn. In 10
steps, on 1 and on 4 ranks, also where each rank has one of the groups that are normalised, the
losses agree within 1e-5, relative, on CPUs and on simulated GPUs.
"""

import math
import pathlib
import random
import sys

import gpu
import training

STEPS = 10
TOLERANCE = 1e-5
BATCH, INNER, OUTER = 8, 16, 12
MODEL = f"""
!x = tensor<{BATCH}x{OUTER}xf32>
!h = tensor<{BATCH}x{INNER}xf32>
!w0 = tensor<{OUTER}x{INNER}xf32>
!w1 = tensor<{INNER}x{OUTER}xf32>
nn.parameter @w0 : !w0 = #nn.normal<0.5>
nn.parameter @w1 : !w1 = #nn.normal<0.5>
func.func @loss(%x: !x {{nn.input = "x"}}, %y: !x {{nn.input = "y"}})
    -> (tensor<f32> {{nn.output = "loss"}})
    attributes {{nn.optimizer = #nn.sgd<momentum = 0.9>}} {{
  %w0 = nn.get @w0 : !w0
  %w1 = nn.get @w1 : !w1
  %h = nn.einsum "bi,ij->bj" %x, %w0 : (!x, !w0) -> !h
  ACTIVATION
  %z = nn.einsum "bi,ij->bj" %a, %w1 : (!h, !w1) -> !x
  %loss = nn.mse %z, %y : (!x, !x) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""
PRIMER = "%a = primer.squared_relu %h : !h"
PRIMER_OF_NN = """%r = nn.relu %h : !h
  %a = nn.mul %r, %r : (!h, !h) -> !h"""

# The line of plugins/mamba/model.mlir after which the result lies in groups of its own on
# each rank.
NORM = "  %y = mamba.gated_norm %h, %z, %scale groups 4 : (!wide, !wide, !scale) -> !wide\n"
PINNED_NORM = (NORM.replace("%y", "%normal")
               + "  %y = sbp.pin %normal : !wide to #sbp.nd<@host, [S(2)]>\n")


class Comparison:
    """Models with ops of `plug_in` that must train like the model `of_nn`, all as text.
    `options` have the data."""

    def __init__(self, tools, folder, plug_in, options):
        self._tools, self._folder, self._plug_in = tools, folder, plug_in
        self._options = ["--steps", STEPS, "--lr", "0.01", "--seed", "7", *options]
        self._expected = None
        self.failures = []

    def expect(self, model):
        self._expected = self._losses("nn", model, "-n", 1)
        if not self._expected[-1] < self._expected[0]:
            self.failures.append(f"the loss does not fall: {self._expected}")

    def compare(self, name, model, ranks):
        self._check(f"{name} on {ranks} ranks", self._losses(name, model, "-n", ranks))
        path = self._folder / f"{name}.gpu.mlir"
        path.write_text(model.replace("@host", "@a100_node"))  # the default machine
        program = gpu.GpuProgram(self._tools, self._folder / f"{name}.gpu", path, "-n", ranks,
                                 "--load-dialect-plugin", self._plug_in)
        self._check(f"{name} on {ranks} GPUs", program.train(ranks, *self._options))

    def _check(self, what, values):
        difference = training.largest_difference(values, self._expected)
        print(f"{what} differs by {difference:.1e}")
        if not (difference <= TOLERANCE and math.isfinite(values[-1])):
            self.failures.append(f"{what}: {values}, not {self._expected}")

    def _losses(self, name, model, *options):
        path = self._folder / f"{name}.mlir"
        path.write_text(model)
        program = training.Program.compiled(
            self._tools, self._folder / f"{name}.program", path, *options,
            "--load-dialect-plugin", self._plug_in)
        return program.train(*self._options)


def compare_primer(tools):
    folder = training.scratch()
    numbers = random.Random(1)
    shape = (2 * BATCH, OUTER)
    data = [option for name in "xy" for option in training.write_data(
        folder, name, "f", shape, [numbers.gauss(0, 1) for _ in range(math.prod(shape))])]
    comparison = Comparison(tools, folder, tools.primer, data)
    comparison.expect(MODEL.replace("ACTIVATION", PRIMER_OF_NN))
    for ranks in (1, 4):
        comparison.compare("primer", MODEL.replace("ACTIVATION", PRIMER), ranks)
    return comparison.failures


def compare_mamba(tools):
    comparison = Comparison(tools, training.scratch(), tools.mamba, ["--text", tools.text])
    model = pathlib.Path(tools.mamba_model).read_text()
    pinned = model.replace(NORM, PINNED_NORM)
    if pinned == model:
        sys.exit(f"{tools.mamba_model} has no line {NORM}")
    comparison.expect(pathlib.Path(tools.mamba_of_nn).read_text())
    for ranks in (1, 4):
        comparison.compare("mamba", model, ranks)
    comparison.compare("pinned", pinned, 4)
    return comparison.failures


def main():
    tools = gpu.parse_tools("primer", "mamba", "mamba-model", "mamba-of-nn", "text")
    sys.exit("\n".join(compare_primer(tools) + compare_mamba(tools)) or None)


if __name__ == "__main__":
    main()
