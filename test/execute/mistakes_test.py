#!/usr/bin/python3
"""Every mistake gets one clear error, which names what contradicts what, and exit 1."""

import struct
import subprocess
import sys

import training

MODEL = """
nn.parameter @w : tensor<4x3xf32> = #nn.zeros
func.func @loss(%x: tensor<8x4xf32> {nn.input = "x"}, %t: tensor<8xi32> {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x3xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %loss = nn.cross_entropy %y, %t : (tensor<8x3xf32>, tensor<8xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"""


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    failures = compiling(tools, folder) + running(tools, folder)
    sys.exit("\n\n".join(failures) or None)


def compiling(tools, folder):
    """Mistakes in models and in the use of the compiler."""
    mistakes = {
        "no model": ("", ["module"]),
        "not MLIR": ("\x00\x01 what is this?", []),
        "broken MLIR": (MODEL.replace("return", "retrun"), ["retrun"]),
        "contraction of 5 with 4": (
            MODEL.replace("tensor<8x4xf32>", "tensor<8x5xf32>"), ["5", "4"]),
        "type of a parameter": (
            MODEL.replace("@w : tensor<4x3xf32> =", "@w : tensor<4x2xf32> ="),
            ["4x3", "4x2"]),
        "unknown op": (MODEL.replace("nn.einsum", "nn.einzum"), ["nn.einzum"]),
        "split of dimension 2 of 2": (
            MODEL.replace("#nn.zeros", "#nn.zeros {sbp.pin = #sbp.nd<@host, [S(2)]>}"),
            ["2"]),
        "pin on an unknown mesh": (
            MODEL.replace("#nn.zeros", "#nn.zeros {sbp.pin = #sbp.nd<@nowhere, [B]>}"),
            ["nowhere"]),
    }
    failures = []
    for name, (text, words) in mistakes.items():
        model = folder / "mistake.mlir"
        model.write_text(text)
        failures += mistake(name, words, tools.sbpc, model, "-n", "2", "-o",
                            folder / "never")
    model = folder / "fine.mlir"
    model.write_text(MODEL)
    for name, words, arguments in (
            ("absent model", ["absent.mlir"], [folder / "absent.mlir", "-n", "2"]),
            ("unwritable program", ["absent/never"],
             [model, "-n", "2", "-o", folder / "absent/never"]),
            ("unknown form", ["cooked"], [model, "-n", "2", "--emit", "cooked"]),
            ("unknown CPU", ["abacus"],
             [model, "-n", "2", "--cpu", "abacus", "-o", folder / "never"])):
        failures += mistake(name, words, tools.sbpc, *arguments)
    return failures


def running(tools, folder):
    """Mistakes in the use of a program."""
    model, program = folder / "fine.mlir", folder / "fine"
    training.run(tools.sbpc, model, "-n", "2", "-o", program)
    x, t, floats = (folder / f"{name}.npy" for name in ("x", "t", "floats"))
    write_npy(x, "<f4", (16, 4), struct.pack("<64f", *range(64)))
    write_npy(t, "<i4", (16,), struct.pack("<16i", *[1] * 16))
    write_npy(floats, "<f4", (16,), bytes(64))
    short = folder / "short.npy"
    write_npy(short, "<i4", (4,), bytes(16))
    data = ["--data", f"x={x}", "--data", f"t={t}"]
    one = [program, "--in-process"]
    training.run(*one, *data, "--steps", "2")  # what is right does work

    cases = [
        ("missing input", ['"t"'], one + data[:2]),
        ("input by a wrong name", ['"z"'], one + data + ["--data", f"z={x}"]),
        ("wrong shape", ["16", "8x4"], one + ["--data", f"x={t}"] + data[2:]),
        ("wrong type", ["f32", "i32"], one + data[:2] + ["--data", f"t={floats}"]),
        ("unequal numbers of samples", ["16", "4"],
         one + data[:2] + ["--data", f"t={short}"]),
        ("absent data", ["absent.npy"],
         one + ["--data", f"x={folder}/absent.npy"] + data[2:]),
        ("data of another format", ["fine.mlir"],
         one + ["--data", f"x={model}"] + data[2:]),
        ("text for a model without tokens", ["fine.mlir"], one + ["--text", model]),
        ("no steps", ["0"], one + data + ["--steps", "0"]),
        ("unknown option", ["--stpes"], one + data + ["--stpes", "3"]),
        ("unknown schedule", ["sawtooth"], one + data + ["--schedule", "sawtooth"]),
        ("unknown entry", ["losss"], one + data + ["--entry", "losss"]),
        ("unwritable parameters", ["absent/p"],
         one + data + ["--save", folder / "absent/p"]),
        ("parameters of another format", ["x.npy"], one + data + ["--load", x]),
        ("dump of the unknown", ['"v"'], one + data + ["--dump", f"v={x}"]),
        ("no launcher", ["2 ranks"], [program] + data),
        ("wrong rank count", ["2 ranks", "3"],
         [tools.sbprun, "-n", "3", program] + data),
        ("no ranks", ["0"], [tools.sbprun, "-n", "0", program]),
        ("absent program", ["absent"], [tools.sbprun, "-n", "2", folder / "absent"]),
    ]
    return [failure for name, words, command in cases
            for failure in mistake(name, words, *command)]


def write_npy(path, type_, shape, data):
    """A .npy file of version 1."""
    header = str({"descr": type_, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
                     + data)


def mistake(name, words, *command):
    """What is wrong with how `command` fails: it should exit 1, say one error
    that has all of `words`, once, and print nothing else."""
    command = [str(word) for word in command]
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                                errors="replace", stderr=subprocess.PIPE,
                                check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return [f"{name}: hangs: {' '.join(command)}"]
    said = result.stderr
    complaints = []
    if result.returncode != 1:
        complaints.append(f"exit status {result.returncode}")
    if result.stdout:
        complaints.append(f"prints {result.stdout[:200]}")
    if not said or said.count("error:") > 1:
        complaints.append(f"says {said.count('error:')} errors")
    if "sbprun:" in said:
        complaints.append("sbprun says it again")
    if "LLVM ERROR" in said or "Stack dump" in said:
        complaints.append("crashes")
    complaints += [f"does not name {word}" for word in words if word not in said]
    if not complaints:
        return []
    return [f"{name}: {'; '.join(complaints)}\n$ {' '.join(command)}\n{said}"]


if __name__ == "__main__":
    main()
