#!/usr/bin/python3
"""Numbers that are not finite change no parameter, and are reported where they arise.

The exponential of the model overflows on one sample. It runs on 1, 2 and 4 ranks, searched
and with a weight split by hand, at once and in micro-batches. The norms of gradients agree. A
run stops at the step with that sample, names the op and its place in the model, and saves nothing. A run that skips the
step leaves parameters and the optimiser's state unchanged in it, bit by bit.
"""

import array
import json
import random
import re
import subprocess
import sys

import training

SAMPLES, BATCH, INPUTS, OUTPUTS = 64, 8, 8, 12
STEPS = SAMPLES // BATCH
OVERFLOWS = 29  # the number of the sample
MODEL = """
{machine}
nn.parameter @w : tensor<8x12xf32> = #nn.normal<0.3> {pin_w}
nn.parameter @b : tensor<12xf32> = #nn.zeros
func.func private @layer(%x: tensor<8x8xf32>) -> tensor<8x12xf32> {{
  %w = nn.get @w : tensor<8x12xf32>
  %b = nn.get @b : tensor<12xf32>
  %p = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<8x8xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
  %s = nn.add %p, %b : (tensor<8x12xf32>, tensor<12xf32>) -> tensor<8x12xf32>
  %e = nn.exp %s : tensor<8x12xf32>
  return %e : tensor<8x12xf32>
}}
func.func @loss(%x: tensor<8x8xf32> {{nn.input = "x" {pin_x}}},
                %y: tensor<8x12xf32> {{nn.input = "y"}})
    -> (tensor<f32> {{nn.output = "loss"}}) attributes {{nn.optimizer = #nn.adam}} {{
  %e = func.call @layer(%x) : (tensor<8x8xf32>) -> tensor<8x12xf32>
  %loss = nn.mse %e, %y : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""
MACHINE = """sbp.machine @m [#sbp.level<"data" x 2, alpha = 1.0e-6, beta = 1.0e-9>,
                             #sbp.level<"model" x 2, alpha = 1.0e-7, beta = 1.0e-11>]"""
SPLIT = {"machine": MACHINE, "pin_x": ", sbp.pin = #sbp.nd<@m, [S(0), B]>",
         "pin_w": "{sbp.pin = #sbp.nd<@m, [B, S(1)]>}"}
OPEN = {"machine": "", "pin_x": "", "pin_w": ""}


def write_data(folder):
    numbers = random.Random(3)
    x = array.array("f", (numbers.gauss(0, 1) for _ in range(SAMPLES * INPUTS)))
    y = array.array("f", (numbers.gauss(1, 1) for _ in range(SAMPLES * OUTPUTS)))
    training.write_npy(folder / "good.npy", "<f4", (SAMPLES, INPUTS), x.tobytes())
    for i in range(INPUTS):
        x[OVERFLOWS * INPUTS + i] = 1e4 * (-1) ** i
    training.write_npy(folder / "x.npy", "<f4", (SAMPLES, INPUTS), x.tobytes())
    training.write_npy(folder / "y.npy", "<f4", (SAMPLES, OUTPUTS), y.tobytes())


def place_of(op, model):
    """Returns where `op` stands in the text of `model`, as messages show it."""
    lines = model.read_text().splitlines()
    line = next(i for i, text in enumerate(lines) if op in text)
    return f"{model}:{line + 1}:{lines[line].index(op) + 1}"


def train(program, folder, *options, data="x.npy"):
    """Returns the exit status, the steps and the messages of a run on all data."""
    command = [program.path, "--in-process", "--json", "--lr", "0.01", "--data",
               f"x={folder / data}", "--data", f"y={folder / 'y.npy'}", *options]
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False)
    steps = [json.loads(line) for line in result.stdout.splitlines()]
    return result.returncode, steps, result.stderr


def state_after(program, folder, steps, *options):
    """Returns all parameters and the optimiser's state after `steps` steps."""
    names = [name + kind for name in ("w", "b")
             for kind in ("", ".first_moment", ".second_moment")]
    names += ["adam.first_correction", "adam.second_correction"]
    dumps = [word for name in names
             for word in ("--dump", f"{name}={folder / name}.npy")]
    train(program, folder, "--steps", steps, *options, *dumps)
    return [(folder / f"{name}.npy").read_bytes() for name in names]


def failures_of(name, program, model, folder):
    """Yields what is wrong in runs with numbers that are not finite. Returns the norms of
    a run on good data."""
    status, steps, errors = train(program, folder, "--steps", 3, data="good.npy")
    norms = [step["gradient_norm"] for step in steps]
    if status != 0 or len(norms) != 3:
        return [f"{name}: {errors}"], norms

    status, steps, errors = train(program, folder, "--steps", STEPS, "--on-nan", "skip")
    left_out = [step["step"] for step in steps if step.get("skipped")]
    if status != 0 or len(left_out) != 1 or left_out[0] < 2:
        return [f"{name}: steps {left_out} of {STEPS} are left out: {errors}"], norms
    step = left_out[0]
    failures = []
    if f"note: step {step} is left out: the loss is inf\n" not in errors:
        failures.append(f"{name}: {errors}")
    if any(each["loss"] is None for each in steps if each["step"] != step):
        failures.append(f"{name}: a step that is left out spoils others: {steps}")

    kept = folder / "kept.safetensors"
    train(program, folder, "--steps", step - 1, "--save", kept)
    before, state = kept.read_bytes(), state_after(program, folder, step - 1)
    if state_after(program, folder, step, "--on-nan", "skip") != state:
        failures.append(f"{name}: a step that is left out leaves a trace")
    status, _, errors = train(program, folder, "--steps", STEPS, "--save", kept)
    expected = f"error: step {step}: the loss is inf: nn.exp gives inf at ["
    layer, caller = (place_of(op, model) for op in ("nn.exp", "func.call @layer"))
    stack = rf", in @layer\S* at {re.escape(layer)}, called by @train_step\S* at "
    if (status != 1 or not errors.startswith(expected)
            or not re.search(stack + re.escape(caller), errors)):
        failures.append(f"{name}: exit status {status}, {errors}")
    status, steps, errors = train(program, folder, "--steps", STEPS, "--on-nan", "continue",
                                  "--save", kept)
    if status != 1 or len(steps) != STEPS or "is not written: parameter" not in errors:
        failures.append(f"{name}: exit status {status}, {len(steps)} steps, {errors}")
    if kept.read_bytes() != before:
        failures.append(f"{name}: what was saved before has changed")
    return failures, norms


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    write_data(folder)
    failures, all_norms = [], []
    for name, texts, options in (("1 rank", OPEN, ["-n", "1"]),
                                 ("2 ranks", OPEN, ["-n", "2"]),
                                 ("2 x 2 ranks, split", SPLIT, []),
                                 ("2 micro-batches", SPLIT, ["--micro-batches", "2"])):
        model = folder / "model.mlir"
        model.write_text(MODEL.format(**texts))
        program = training.Program.compiled(tools, folder / "program", model, *options)
        found, norms = failures_of(name, program, model, folder)
        print(f"{name}: norms {norms}")
        failures += found
        all_norms.append(norms)
    for norms in all_norms[1:]:
        if training.largest_difference(norms, all_norms[0]) > 1e-5:
            failures.append(f"norms {norms}, on 1 rank {all_norms[0]}")
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
