#!/usr/bin/python3
"""A limit of memory is one on what a rank allocates, and what is said of it holds.

A program takes no more than that, gaps between buffers included, nor than sbpc explain
says; and where no plan fits, the number of bytes in the error is enough for one.
"""

import json
import re
import subprocess
import sys

import training

MACHINE = """sbp.machine @machine [
    #sbp.level<"node" x 3, alpha = 1.0e-5, beta = 1.0e-9>,
    #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
    device #sbp.device<memory = 4.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
"""
LINE = """sbp.machine @machine [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
"""
# With buffers of many sizes, between which gaps are hard to avoid.
GPT = ["--layers", 3, "--width", 96, "--heads", 3, "--vocabulary", 500, "--batch", 6,
       "--sequence", 40]
# Of three weights that are pinned to every device, none can be kept in parts.
PINNED = """
!w = tensor<256x256xf32>
!x = tensor<61x256xf32>
nn.parameter @w0 : !w = #nn.normal<0.02> {sbp.pin = #sbp.nd<@machine, [B]>}
nn.parameter @w1 : !w = #nn.normal<0.02> {sbp.pin = #sbp.nd<@machine, [B]>}
nn.parameter @w2 : !w = #nn.normal<0.02> {sbp.pin = #sbp.nd<@machine, [B]>}
func.func @loss(%x: !x {nn.input = "x"}, %t: !x {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %w0 = nn.get @w0 : !w
  %w1 = nn.get @w1 : !w
  %w2 = nn.get @w2 : !w
  %h = nn.einsum "bi,ij->bj" %x, %w0 : (!x, !w) -> !x
  %g = nn.gelu %h : !x
  %y = nn.einsum "bi,ij->bj" %g, %w1 : (!x, !w) -> !x
  %z = nn.gelu %y : !x
  %v = nn.einsum "bi,ij->bj" %z, %w2 : (!x, !w) -> !x
  %loss = nn.mse %v, %t : (!x, !x) -> tensor<f32>
  return %loss : tensor<f32>
}
"""


def allocated(tools, model, *options):
    """The most bytes that a rank allocates."""
    plan = json.loads(training.run(tools.sbpc, model, *options, "--emit", "plan"))
    return max(entry["arenaBytes"] for program in plan["programs"]
               for entry in program["entries"])


def failures_of_gpt(tools, folder, machine):
    model = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, "-o", model)
    limit = 4000000
    options = ["--machine", machine, "--memory", limit]
    report = json.loads(training.run(tools.sbpc, "explain", model, *options, "--json"))
    reckoned = max(entry["memory"]["bytes"] for entry in report["entries"])
    taken = allocated(tools, model, *options)
    print(f"within {limit} bytes: {reckoned:.0f} reckoned, {taken} allocated")
    if not taken <= reckoned <= limit:
        yield f"within {limit} bytes {reckoned} are reckoned with, {taken} allocated"


def failures_of_errors(tools, folder):
    """Where following what an error says fails again."""
    model = folder / "pinned.mlir"
    model.write_text(LINE + PINNED)
    for limit in (1400000, 1700000):
        refused = subprocess.run([tools.sbpc, "explain", model, "--memory", str(limit)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, check=False)
        said = re.search(rf"in the {limit} bytes of a device: the one that takes "
                         r"least takes (\d+), (\d+) more", refused.stderr)
        if refused.returncode != 1 or not said:
            yield f"{limit} bytes: {refused}"
            continue
        enough = int(said[1])
        taken = allocated(tools, model, "--memory", enough)
        print(f"for {limit} bytes: {said[0]}; {taken} allocated")
        if taken > enough or enough != limit + int(said[2]):
            yield f"{said[0]}: {taken} are allocated"


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    machine = folder / "machine.mlir"
    machine.write_text(MACHINE)
    sys.exit("\n".join([*failures_of_gpt(tools, folder, machine),
                        *failures_of_errors(tools, folder)]) or None)


if __name__ == "__main__":
    main()
