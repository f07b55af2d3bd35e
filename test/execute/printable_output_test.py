#!/usr/bin/env python3
"""No control character of a model or of a command line reaches the terminal of a person, and
JSON has the names as they are: printable_output_test.py TOOL..."""

import json
import pathlib
import subprocess
import sys

TOOLS = {pathlib.Path(path).name: path for path in sys.argv[1:]}

MODEL = r"""
nn.parameter @"\1B[31mw" : tensor<4xf32> = #nn.zeros
func.func @"f\07"(%x: tensor<4xf32> {nn.input = "in\1B]0;t\07"})
    -> (tensor<4xf32> {nn.output = "caf\C3\A9\C2\9B"}) {
  %w = nn.get @"\1B[31mw" : tensor<4xf32>
  %y = nn.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
# The line of an error is shown.
FAULTY = "func.func @f() { // \x1b[31m\n  nn.none \"\x07\"\n  return\n}\n"


def json_of(tool, *arguments):
    """Returns the JSON on standard output of a tool."""
    return json.loads(subprocess.check_output([TOOLS[tool], *arguments]))


def run(tool, *arguments, fails=False):
    """Returns standard output of a tool, after checks of all that it has said."""
    done = subprocess.run([TOOLS[tool], *arguments], capture_output=True)
    said = (done.stdout + done.stderr).decode()
    assert (done.returncode != 0) == fails, said
    for letter in said:
        control = ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0
        assert not control or letter in "\n\t", (tool, arguments, said)
    return done.stdout.decode()


pathlib.Path("model.mlir").write_text(MODEL)
pathlib.Path("faulty.mlir").write_text(FAULTY)

text = run("sbpc", "explain", "model.mlir", "-n", "2", "--details")
assert r"in\x1b]0;t\x07" in text, text
explanation = json_of("sbpc", "explain", "model.mlir", "-n", "2", "--json")
assert repr("in\x1b]0;t\x07") in repr(explanation), explanation

assert r"café\u009b: " in run("sbp-interpret", "model.mlir", "--random-inputs")
results = json_of("sbp-interpret", "model.mlir", "--random-inputs", "--json")
assert list(results) == ["café\u009b"], results
run("sbp-interpret", "model.mlir", fails=True)  # the input is missing

NAME = "./na\x1b[31mme"
for tool in ["sbpc", "sbp-interpret", "sbp-opt"]:
    run(tool, "faulty.mlir", fails=True)
    run(tool, NAME, fails=True)
for tool in ["sbpc", "sbp-interpret"]:  # LLVM reads the command line of sbp-opt.
    run(tool, "model.mlir", "--none\x1b[31m", fails=True)
for arguments in [["--schedule", NAME + ".csv"], ["--schedule", "1f\x1bb"], ["--machine", NAME]]:
    run("sbpc", "model.mlir", "-n", "2", *arguments, fails=True)
run("sbp-lab", "cfn", NAME, fails=True)
run("sbp-lab", "none\x1b[31m", fails=True)
run("sbp-lab", "schedule", "--family", "1f\x1bb", fails=True)
