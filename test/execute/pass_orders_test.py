#!/usr/bin/env python3
"""Passes in any order, with any options, transform a program or refuse it: none ends by a
signal. `--runs N --first K` tests N orders, from number K on.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MACHINE = """sbp.machine @m [#sbp.level<"node" x 2, alpha = 2.0e-6, beta = 2.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
"""
GROUPS = """sbp.mesh @g0 of @m ranks [0, 1] [#sbp.axis<"a" x 2 in "gpu">]
sbp.mesh @g1 of @m ranks [2, 3] [#sbp.axis<"a" x 2 in "gpu">]
sbp.stages [@g0, @g1]
"""
LAYERS = """
nn.parameter @w : tensor<6x6xf32> = #nn.normal<0.5>{pin}
nn.parameter @v : tensor<6x6xf32> = #nn.normal<0.5>
func.func private @layer(%x: tensor<8x6xf32>, %w: tensor<6x6xf32>) -> tensor<8x6xf32> {{
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  %y = nn.gelu %h : tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}}
func.func @loss(%x: tensor<8x6xf32> {{nn.input = "x"}}, %y: tensor<8x6xf32> {{nn.input = "y"}})
    -> (tensor<f32> {{nn.output = "loss"}}) attributes {{nn.optimizer = {optimizer}}} {{
  %w = nn.get @w : tensor<6x6xf32>
  %v = nn.get @v : tensor<6x6xf32>
  %h = call @layer(%x, %w) {first} : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  %k = call @layer(%h, %v) {last} : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  %l = nn.mse %k, %y {last} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}}
"""
WHOLE = {"first": "", "last": "", "pin": "", "optimizer": "#nn.sgd"}
STAGES = {"first": "{sbp.stage = 0}", "last": "{sbp.stage = 1}", "pin": "",
          "optimizer": "#nn.adam"}
PINNED = dict(WHOLE, pin=" {sbp.pin = #sbp.nd<@m, [B, S(1)]>}",
              optimizer="#nn.sgd<momentum = 0.9>")

MODELS = {
    "layers": MACHINE + LAYERS.format(**WHOLE),
    "pinned": MACHINE + LAYERS.format(**PINNED),
    "stages": MACHINE + GROUPS + LAYERS.format(**STAGES),
    "no_machine": LAYERS.format(**WHOLE),
    "set_without_get": MACHINE + GROUPS + """
nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5>
nn.parameter @c : tensor<4x4xf32> = #nn.zeros {state}
func.func @step(%x: tensor<8x4xf32> {nn.input = "x"}) -> (tensor<8x4xf32> {nn.output = "y"}) {
  %w = nn.get @w : tensor<4x4xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %k = nn.einsum "bi,ij->bj" %h, %w {sbp.stage = 1} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %n = nn.add %w, %w {sbp.stage = 1} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  nn.set @c, %n {sbp.stage = 1} : tensor<4x4xf32>
  return %k : tensor<8x4xf32>
}
""",
    "tokens": MACHINE + """
nn.parameter @table : tensor<7x6xf32> = #nn.normal<0.5>
func.func @loss(%t: tensor<4x3xi32> {nn.input = "t"}, %y: tensor<4x3xi32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adamw} {
  %table = nn.get @table : tensor<7x6xf32>
  %h = nn.embedding %t, %table : (tensor<4x3xi32>, tensor<7x6xf32>) -> tensor<4x3x6xf32>
  %l = nn.cross_entropy %h, %y : (tensor<4x3x6xf32>, tensor<4x3xi32>) -> tensor<f32>
  return %l : tensor<f32>
}
""",
    "declaration": "func.func private @ext(tensor<4xf32>) -> tensor<4xf32>\n",
    "scalar": "func.func @f(%a: i32) -> i32 { return %a : i32 }\n",
    "empty": "",
}

SECONDS = ["search-seconds=0.05"]
PLACED = [["place-by=propagation", "place-by=search"], ["layers=free", "layers=tied"],
          ["divide-levels=true"], ["mesh=m", "mesh=g0", "mesh=none"], ["memory=1KB", "memory=1GB"],
          ["space=autoddl"], ["goal=memory"], SECONDS]
TO = [[option.replace("by=", "place-by=") for option in choice] for choice in PLACED] + [
    ["micro-batches=2", "micro-batches=3"], ["schedule=1f1b", "schedule=gpipe"],
    ["execute=messages"]]
OPTIONS = {
    "sbp-place": PLACED,
    "sbp-differentiate": [["micro-batches=2", "micro-batches=5"], ["function=loss", "function=layer"],
                          ["optimizer=#nn.sgd", "optimizer=#nn.adam"]],
    "sbp-schedule-stages": [["schedule=1f1b", "schedule=dualpipe", "schedule=list"],
                            ["micro-batches=2", "micro-batches=4"], ["execute=messages"]],
    "sbp-choose-stages": [["stages=2", "stages=3"], ["groups=2", "groups=4"],
                          ["micro-batches=2"], ["schedule=1f1b"], SECONDS],
    **{f"sbp-to-{form}": TO for form in ("differentiated", "placed", "boxed", "local")},
}
OTHERS = ["cse", "canonicalize", "symbol-dce"]


def chosen(rng, choices):
    """Returns some of the options, always with the time limit."""
    return " ".join(rng.choice(choice) for choice in choices
                    if choice is SECONDS or rng.random() < 0.25)


def command(rng, names):
    """Returns a command with passes and options, in any order."""
    words = []
    for _ in range(rng.randint(1, 6)):
        name = rng.choice(names)
        options = chosen(rng, OPTIONS.get(name, []))
        words.append(f"--{name}={options}" if options else f"--{name}")
    return words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sbp-opt", required=True)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()

    listed = subprocess.run([args.sbp_opt, "--list-passes"], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    names = re.findall(r"^ *--(sbp-[\w-]+)", listed, re.MULTILINE)
    assert "sbp-place" in names, listed
    names += list(OPTIONS.keys() - set(names)) + OTHERS
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.first, args.first + args.runs):
            rng = random.Random(number)
            model = pathlib.Path(folder, "model.mlir")
            model.write_text(MODELS[rng.choice(sorted(MODELS))])
            # A second run continues with the output of the first.
            for _ in range(2):
                words = [args.sbp_opt, str(model), *command(rng, sorted(names))]
                result = subprocess.run(words, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.PIPE, check=False, timeout=120)
                if result.returncode not in (0, 1):
                    found.append(f"order {number}: exits with {result.returncode}\n"
                                 f"$ {' '.join(words)}\n{model.read_text()}{result.stderr[:4000]}")
                if result.returncode == 1 and "error" not in result.stderr:
                    found.append(f"order {number}: fails without an error\n$ {' '.join(words)}")
                if result.returncode:
                    break
                model.write_text(result.stdout)
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
