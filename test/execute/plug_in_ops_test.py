#!/usr/bin/python3
"""An op of a plug-in trains a model like the ops of nn that compute the same.

One feed-forward network has the activation primer.squared_relu, another one nn.relu and nn.mul
in its place. In 10 steps, on 1 and on 4 ranks, their losses agree within 1e-5, relative. Kernels
for GPUs, on this CPU, train the former network as kernels for CPUs do.
"""

import array
import math
import random
import sys

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
ACTIVATIONS = {
    "primer": "%a = primer.squared_relu %h : !h",
    "nn": """%r = nn.relu %h : !h
  %a = nn.mul %r, %r : (!h, !h) -> !h""",
}


def write_floats(path):
    numbers = random.Random(1)
    values = array.array("f", (numbers.gauss(0, 1) for _ in range(2 * BATCH * OUTER)))
    training.write_npy(path, "<f4", (2 * BATCH, OUTER), values.tobytes())


def main():
    tools = training.parse_tools("primer", "compare")
    folder = training.scratch()
    options = ["--steps", STEPS, "--lr", "0.01", "--seed", "7"]
    for name in "xy":
        write_floats(folder / f"{name}.npy")
        options += ["--data", f"{name}={folder / name}.npy"]

    losses = {}
    for name, activation in ACTIVATIONS.items():
        model = folder / f"{name}.mlir"
        model.write_text(MODEL.replace("ACTIVATION", activation))
        plug_in = ["--load-dialect-plugin", tools.primer] if name == "primer" else []
        for ranks in (1, 4):
            program = training.Program.compiled(
                tools, folder / f"{name}-{ranks}", model, "-n", ranks, *plug_in)
            losses[name, ranks] = program.train(*options)

    failures = []
    expected = losses["nn", 1]
    if not expected[-1] < expected[0]:
        failures.append(f"the loss does not fall: {expected}")
    for (name, ranks), values in losses.items():
        difference = training.largest_difference(values, expected)
        print(f"{name} on {ranks} ranks differs by {difference:.1e}")
        if not (difference <= TOLERANCE and math.isfinite(values[-1])):
            failures.append(f"{name} on {ranks} ranks: {values}, not {expected}")

    local = {ranks: folder / f"{ranks}.local.mlir" for ranks in (1, 4)}
    for ranks, path in local.items():
        training.run(tools.sbpc, folder / "primer.mlir", "-n", ranks, "--emit", "local",
                     "--load-dialect-plugin", tools.primer, "-o", path)
    print(training.run(tools.compare, STEPS, *local.values(), "--plug-in", tools.primer))
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
