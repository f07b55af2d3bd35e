#!/usr/bin/python3
"""Free layers, whose calls may be placed differently, compute the same as on one rank.

The model is a perceptron whose layer is a function that is called several times. The ranks
have columns and rows of the weights alternately, as in Megatron, so that nothing is sent
between two calls; with tied layers every second call would have to move its weights. Calls
with equal placements are one function, whose kernels are compiled once. In micro-batches, all
micro-batches have the same placements, and the layers within them may differ.
"""

import array
import json
import random
import sys

import training

TOLERANCE = 1e-5
SAMPLES, WIDTH, CALLS = 8, 128, 4
MODEL = """
sbp.machine @machine [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e9>]>
{parameters}
func.func private @project(%x: !acts, %w: !weights) -> !acts {{
  %y = nn.einsum "bi,ij->bj" %x, %w : (!acts, !weights) -> !acts
  return %y : !acts
}}
func.func private @layer(%x: !acts, %w: !weights) -> !acts {{
  %h = call @project(%x, %w) : (!acts, !weights) -> !acts
  %y = nn.gelu %h : !acts
  return %y : !acts
}}
func.func @loss(%x: !acts {{nn.input = "x"}}, %t: !acts {{nn.input = "t"}})
    -> (tensor<f32> {{nn.output = "loss"}})
    attributes {{nn.optimizer = #nn.adam}} {{
{calls}
  %loss = nn.mse %h{last}, %t : (!acts, !acts) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""


def model_text():
    """Returns the model. The operand of the first call is a product as well, so that all
    calls are alike."""
    parameters = "".join(
        f"nn.parameter @w{number} : !weights = #nn.normal<0.0884> "
        f"{{sbp.pin = #sbp.nd<@machine, [S({(number + 1) % 2})]>}}\n"
        for number in range(CALLS + 1))
    lines = ["%w0 = nn.get @w0 : !weights",
             '%h0 = nn.einsum "bi,ij->bj" %x, %w0 : (!acts, !weights) -> !acts']
    for number in range(1, CALLS + 1):
        lines.append(f"%w{number} = nn.get @w{number} : !weights")
        lines.append(f"%h{number} = call @layer(%h{number - 1}, %w{number}) "
                     ": (!acts, !weights) -> !acts")
    text = MODEL.format(parameters=parameters, last=CALLS,
                        calls="\n".join("  " + line for line in lines))
    return (text.replace("!acts", f"tensor<{SAMPLES}x{WIDTH}xf32>")
            .replace("!weights", f"tensor<{WIDTH}x{WIDTH}xf32>"))


def write_data(folder):
    """Writes random samples to files, and returns the options that train on them."""
    numbers = random.Random(1)
    options = []
    for name in ("x", "t"):
        data = array.array("f", (numbers.gauss(0, 1) for _ in range(4 * SAMPLES * WIDTH)))
        training.write_npy(folder / f"{name}.npy", "<f4", (4 * SAMPLES, WIDTH),
                           data.tobytes())
        options += ["--data", f"{name}={folder / name}.npy"]
    return options


def explained(tools, model, *options):
    report = json.loads(training.run(tools.sbpc, "explain", model, "--json", *options))
    return next(entry for entry in report["entries"] if entry["entry"] == "train_step")


def num_kernels(tools, model, *options):
    plan = json.loads(training.run(tools.sbpc, model, "--emit", "plan", *options))
    return len(plan["kernels"])


def failures_of(tools, folder, model, micro_batches, expected, options):
    """Yields what is wrong with the batch in `micro_batches` micro-batches."""
    parts = ["--micro-batches", micro_batches]
    tied, free = (explained(tools, model, *parts, "--layers", how)
                  for how in ("tied", "free"))
    groups = [(function["function"], function["calls"], function["times"])
              for function in free["functions"] if "calls" in function]
    sent = free["communicating"], tied["communicating"]
    print(f"{micro_batches} parts: {sent[0]:.3g} s of communication, {sent[1]:.3g} s if "
          f"tied; {groups}")
    if not (sent[0] < 0.8 * sent[1] and free["seconds"] < tied["seconds"]):
        yield f"{micro_batches} parts: {sent[0]} s of communication, {sent[1]} s if tied"
    # Each group of calls is one function for all micro-batches.
    if (len(groups) != 8 or any(
            calls not in ([0, 2], [1, 3]) or times != len(calls) * micro_batches
            for _, calls, times in groups)):
        yield f"{micro_batches} parts: not every second call is alike: {groups}"
    tied_kernels, free_kernels = (num_kernels(tools, model, *parts, "--layers", how)
                                  for how in ("tied", "free"))
    if not free_kernels < 2 * tied_kernels:
        yield f"{micro_batches} parts: {tied_kernels} kernels tied, {free_kernels} free"

    program = training.Program.compiled(tools, folder / "program", model, *parts,
                                        "--layers", "free")
    losses = program.train(*options)
    difference = training.largest_difference(losses, expected)
    print(f"{micro_batches} parts: largest relative difference {difference:.2g}")
    if difference > TOLERANCE:
        yield f"{micro_batches} parts: {losses}, not {expected}"


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    model = folder / "model.mlir"
    model.write_text(model_text())
    single = folder / "single.mlir"
    single.write_text(model_text().replace('"rank" x 4', '"rank" x 1'))
    options = [*write_data(folder), "--steps", "20", "--lr", "1e-3", "--seed", "7"]
    expected = training.Program.compiled(tools, folder / "one", single).train(*options)
    failures = [] if expected[-1] < expected[0] else [f"the loss does not fall: {expected}"]
    for micro_batches in (1, 2):
        failures += failures_of(tools, folder, model, micro_batches, expected, options)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
