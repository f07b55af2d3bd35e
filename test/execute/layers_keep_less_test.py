#!/usr/bin/python3
"""Layers that keep less for their backward pass give the same bits, in less memory.

A GPT trains on 1 rank and on 4, with layers whose calls are placed alike or freely, in
micro-batches, and in stages under schedules of every kind: forward and backward alternately,
all forwards first, backwards in halves, two pipes, and without a flush. For each, all values
are kept, then products only, then inputs only (--keep). All losses have the same bits, and the
bytes that a rank allocates fall each time. So do those of a model with a layer in a layer, for
each mark of the two. A GPU computes the same losses as well.
"""

import itertools
import json
import re
import sys

import gpu
import training

GPT = ["--layers", 3, "--width", 32, "--heads", 4, "--batch", 16, "--sequence", 16]
KEPT = ["all", "products", "inputs"]
SEARCHED = ["-n", 4]
STAGES = ["--stages", "1,2", "--groups", "1,1"]
# Options of the generator, and of sbpc.
CASES = [
    ([], ["-n", 1]),
    ([], SEARCHED),
    ([], [*SEARCHED, "--layers", "free"]),
    (["--plan", "data-megatron", "--mesh", "2x2"], []),
    (["--plan", "data-megatron", "--mesh", "2x2"], ["--micro-batches", 2]),
    (["--stages", "1,1,1", "--groups", "1,2,1"], ["--micro-batches", 4]),
    ([], [*SEARCHED, "--stages", 2, "--groups", 2, "--micro-batches", 4, "--schedule", "1f1b"]),
] + [(STAGES, ["--micro-batches", 4, "--schedule", schedule, *more])
     for schedule, more in [("gpipe", []), ("zb-h1", ["--execute", "messages"]),
                            ("chimera<variant = halving>", []), ("pipedream-2bw", [])]]

NESTED = """
nn.parameter @w0 : !w = #nn.normal<0.1>
nn.parameter @w1 : !w = #nn.normal<0.1>
func.func private @inner(%x: !x, %w: !w) -> !x attributes {sbp.keep = #sbp.keep<INNER>} {
  %h = nn.einsum "bi,ij->bj" %x, %w : (!x, !w) -> !x
  %s = nn.silu %h : !x
  %g = nn.mul %s, %h : (!x, !x) -> !x
  %y = nn.einsum "bi,ij->bj" %g, %w : (!x, !w) -> !x
  return %y : !x
}
func.func private @outer(%x: !x, %w: !w) -> !x attributes {sbp.keep = #sbp.keep<OUTER>} {
  %a = call @inner(%x, %w) : (!x, !w) -> !x
  %b = nn.silu %a : !x
  %c = call @inner(%b, %w) : (!x, !w) -> !x
  %y = nn.silu %c : !x
  return %y : !x
}
func.func @loss(%x: !x {nn.input = "x"}, %t: !x {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %w0 = nn.get @w0 : !w
  %w1 = nn.get @w1 : !w
  %h = call @outer(%x, %w0) : (!x, !w) -> !x
  %y = call @outer(%h, %w1) : (!x, !w) -> !x
  %z = call @outer(%y, %w0) : (!x, !w) -> !x
  %loss = nn.mse %z, %t : (!x, !x) -> tensor<f32>
  return %loss : tensor<f32>
}
""".replace("!x", "tensor<96x32xf32>").replace("!w", "tensor<32x32xf32>")


def compiled(tools, folder, model, *options):
    """Returns the program, and the most bytes that a rank allocates."""
    plan = json.loads(training.run(tools.sbpc, model, *options, "--emit", "plan"))
    return (training.Program.compiled(tools, folder / "program", model, *options),
            max(entry["arenaBytes"] for program in plan["programs"]
                for entry in program["entries"]))


def failures_of_case(tools, folder, generated, options, training_options):
    model = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, *generated, "-o", model)
    losses, allocated = [], []
    for kept in KEPT:
        program, taken = compiled(tools, folder, model, *options, "--keep", kept)
        losses.append(program.train(*training_options))
        allocated.append(taken)
    name = " ".join(map(str, [*generated, *options]))
    print(f"{name}: {allocated} bytes")
    if losses.count(losses[0]) != len(losses):
        yield f"{name}: {losses}"
    if not allocated[0] > allocated[1] > allocated[2]:
        yield f"{name}: {allocated} bytes do not fall"


def failures_of_nested(tools, folder, *options):
    data = [*training.write_data(folder, "x", "f", (96, 32), [i % 7 / 7 for i in range(3072)]),
            *training.write_data(folder, "t", "f", (96, 32), [i % 5 / 5 for i in range(3072)])]
    found = {}
    for outer, inner in itertools.product(KEPT, KEPT):
        model = folder / "nested.mlir"
        model.write_text(NESTED.replace("OUTER", outer).replace("INNER", inner))
        program, taken = compiled(tools, folder, model, *options)
        found[outer, inner] = program.train("--steps", 4, "--seed", 7, *data), taken
    print(f"nested, {options}:", {kept: taken for kept, (_, taken) in found.items()})
    expected, most = found.pop(("all", "all"))
    for kept, (losses, taken) in found.items():
        if losses != expected:
            yield f"nested, {options}, {kept}: {losses}, not {expected}"
        if taken >= most:
            yield f"nested, {options}, {kept}: {taken} bytes, not less than {most}"


def failures_of_gpu(tools, folder, training_options):
    model = folder / "small.mlir"
    training.run(tools.generator, "--layers", 2, *gpu.SMALL_GPT, "-o", model)
    losses = [gpu.GpuProgram(tools, folder / f"gpu-{kept}", model, "-n", 1, "--keep", kept)
              .train(1, *training_options) for kept in KEPT]
    if losses.count(losses[0]) != len(losses):
        yield f"on a GPU: {losses}"


def failures_of_explanations(tools, folder):
    """Yields explanations that do not say what it costs to compute values again."""
    model = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, "-o", model)
    seconds = []
    for kept in KEPT:
        explain = [tools.sbpc, "explain", model, "-n", 1, "--keep", kept]
        entries = json.loads(training.run(*explain, "--json"))["entries"]
        seconds += [entry["recomputing"] for entry in entries
                    if entry["entry"] == "train_step"]
        said = re.search("of this time computes values again", training.run(*explain))
        if bool(said) != (kept != "all"):
            yield f"--keep {kept}: the explanation says {said}"
    if not 0 == seconds[0] < seconds[1] < seconds[2]:
        yield f"{seconds} seconds to compute again do not rise"


def main():
    tools = gpu.parse_tools("text")
    folder = training.scratch()
    options = ["--text", tools.text, "--steps", 4, "--seed", 7]
    failures = [*failures_of_nested(tools, folder, "-n", 1),
                *failures_of_nested(tools, folder, "-n", 4),
                *failures_of_nested(tools, folder, "-n", 4, "--layers", "free"),
                *failures_of_explanations(tools, folder),
                *failures_of_gpu(tools, folder, options)]
    for generated, compiling in CASES:
        failures += failures_of_case(tools, folder, generated, compiling, options)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
