#!/usr/bin/python3
"""In micro-batches, a pin of an input costs what sbpc explain reports.

Each choice for the input of a small perceptron is written as a pin. The plan that is then
searched must take the additional time that the report on the plan without the pin has.
"""

import json
import math
import sys

import training

MODEL = """
sbp.machine @m [#sbp.level<"gpu" x 3, alpha = 1.0e-7, beta = 1.0e-11>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e9>]>
nn.parameter @up : tensor<32x64xf32> = #nn.normal<0.25>
nn.parameter @down : tensor<64x8xf32> = #nn.normal<0.18>
func.func @loss(%x: tensor<16x32xf32> {nn.input = "x"}, %y: tensor<16xi32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<32x64xf32>
  %h = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  %r = nn.relu %h : tensor<16x64xf32>
  %down = nn.get @down : tensor<64x8xf32>
  %s = nn.einsum "bi,ij->bj" %r, %down
      : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %l = nn.cross_entropy %s, %y : (tensor<16x8xf32>, tensor<16xi32>) -> tensor<f32>
  return %l : tensor<f32>
}
"""


def explained(tools, model):
    """Returns the report on `model`, and the seconds of its training step."""
    report = json.loads(training.run(tools.sbpc, "explain", model, "--micro-batches", "2",
                                     "--json"))
    return report, next(entry["seconds"] for entry in report["entries"]
                        if entry["entry"] == "train_step")


def main():
    tools = training.parse_tools()
    model = training.scratch() / "model.mlir"
    model.write_text(MODEL)
    report, seconds = explained(tools, model)
    if not report["alternatives"]["pins_exact"]:
        sys.exit("the prices of pins are bounds")
    failures = []
    for pin in report["alternatives"]["pins"]:
        name = f'nn.input = "{pin["tensor"]}"'
        if name not in MODEL:
            continue
        for choice in pin["choices"]:
            model.write_text(MODEL.replace(
                name, f"{name}, sbp.pin = #sbp.nd<@m, {choice['placement']}>"))
            _, pinned = explained(tools, model)
            if not math.isclose(pinned, seconds + choice["more_seconds"], rel_tol=1e-7):
                failures.append(f"{pin['tensor']} at {choice} takes {pinned}, "
                                f"and {seconds} without")
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
