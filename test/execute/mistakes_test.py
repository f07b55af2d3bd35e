#!/usr/bin/python3
"""Every mistake gets one clear error that names the facts that disagree, and exit status 1.

Each row of a table has a mistake, the command line that makes it, and words that the error
must contain.
"""

import json
import os
import pathlib
import struct
import sys

import failing
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

# A mistake in the model: the right text, and the wrong text in its place.
MODELS = [
    ("no model", MODEL, "", ["has no entry"]),
    ("not MLIR", MODEL, "\x00\x01 what is this?", ["mistake.mlir:1:"]),
    ("broken MLIR", "return", "retrun", ["retrun"]),
    ("half a model", "return %loss : tensor<f32>\n}", "", ["mistake.mlir:8:"]),
    ("contraction of 5 with 4", "tensor<8x4xf32>", "tensor<8x5xf32>", ["5", "4"]),
    ("type of a parameter", "@w : tensor<4x3xf32> =", "@w : tensor<4x2xf32> =",
     ["4x3", "4x2"]),
    ("unknown op", "nn.einsum", "nn.einzum", ["nn.einzum"]),
    ("labels of floats", "tensor<8xi32>", "tensor<8xf32>", ["tensor<8xf32>"]),
    ("labels of another batch", "tensor<8xi32>", "tensor<7xi32>",
     ["tensor<8x3xf32>", "tensor<7xi32>"]),
    ("two functions of one name", "func.func @loss", "func.func private @w() func.func @loss",
     ["@w"]),
    ("unknown optimizer", "#nn.sgd", "#nn.sgdd", ["sgdd"]),
    ("split of dimension 2 of 2", "#nn.zeros",
     "#nn.zeros {sbp.pin = #sbp.nd<@host, [S(2)]>}", ["2"]),
    ("pin on an unknown mesh", "#nn.zeros",
     "#nn.zeros {sbp.pin = #sbp.nd<@nowhere, [B]>}", ["nowhere"]),
    ("pin of two axes on a machine of one", "#nn.zeros",
     "#nn.zeros {sbp.pin = #sbp.nd<@host, [B, B]>}", ["@host", "2", "1"]),
    ("two inputs of one name", 'nn.input = "t"', 'nn.input = "x"', ["mistake.mlir:3:", '"x"']),
    ("bound of no integers", '{nn.input = "x"}', '{nn.input = "x", nn.below = 3 : i64}',
     ["nn.below", "tensor<8x4xf32>"]),
]

# The folder contains the model fine.mlir.
COMPILING = [
    ("no model at all", "", ["model"]),
    ("absent model", "absent.mlir -n 2", ["absent.mlir"]),
    ("modules nested too deep", "deep.mlir -n 2", ["deep.mlir:1:257", "257", "256"]),
    ("types nested too deep", "deep_types.mlir -n 2", ["deep_types.mlir:1:", "257", "256"]),
    ("shape too long", "long_shape.mlir -n 2", ["long_shape.mlir:1:", "200003", "4096"]),
    ("calls that double", "calls.mlir -n 1 -o never",
     ["calls.mlir:42:", "3298534883327 ops", "8388608", "calls.mlir:43:"]),
    ("tensor of 2^63 elements", "huge.mlir -n 4 --emit placed",
     ["huge.mlir:1:1", "9223372036854775807xf32", "70368744177664"]),
    ("resource that is not there", "resource.mlir -n 2 -o never",
     ["resource.mlir:2:", "'absent'"]),
    ("folder for a model", ". -n 2", ["'.'", "directory"]),
    ("data for a model", "x.npy -n 2 -o never", ["x.npy:1:1"]),
    ("two models", "fine.mlir fine.mlir -n 2 -o never", ["fine.mlir"]),
    ("no ranks", "fine.mlir -n 0 -o never", ["--ranks", '"0"', "1 to 65536"]),
    ("ranks below zero", "fine.mlir -n -2 -o never", ['"-2"', "1 to 65536"]),
    ("more ranks than there are", "fine.mlir -n 99999999999999999999 -o never",
     ["99999999999999999999", "65536"]),
    ("ranks that are no number", "fine.mlir -n two -o never", ['"two"']),
    ("ranks other than the machine's", "fine.mlir --machine four.mlir -n 2 -o never",
     ["four.mlir:1:1", "4 devices", "2 ranks"]),
    ("absent machine", "fine.mlir --machine absent.mlir -o never", ["absent.mlir"]),
    ("model for a machine", "fine.mlir --machine fine.mlir -o never",
     ["fine.mlir:2:1", "nn.parameter", "sbp.machine"]),
    ("empty machine", "fine.mlir --machine empty -o never", ["empty", "sbp.machine"]),
    ("broken machine", "fine.mlir --machine broken.mlir -o never", ["broken.mlir:1:"]),
    ("machine of no devices", "fine.mlir --machine none.mlir -o never",
     ["none.mlir:1:", "'rank'", "0"]),
    ("machine nested too deep", "fine.mlir --machine deep.mlir -o never",
     ["deep.mlir:1:257", "257", "256"]),
    ("machine too large", "fine.mlir --machine large.mlir -o never",
     ["large.mlir:1:1", "65536"]),
    ("mesh that is not the machine", "fine.mlir --machine mesh.mlir -o never",
     ["mesh.mlir:2:1", "3", "4"]),
    ("two machines", "fine.mlir --machine two.mlir -o never",
     ["two.mlir:2:1", "@a @b", "--mesh NAME", "two.mlir:1:1"]),
    ("unknown mesh", "fine.mlir -n 2 --mesh grid -o never", ["@grid", "@host"]),
    ("unknown form", "fine.mlir -n 2 --emit cooked", ["cooked", "boxed", "exe"]),
    ("form that is past", "local.mlir --emit placed -o never", ["local", "placed"]),
    ("schedule without stages", "fine.mlir -n 2 --schedule 1f1b -o never",
     ["fine.mlir", "1f1b", "sbp.stages"]),
    ("unknown schedule", "staged.mlir --schedule 1f2b -o never", ["'1f2b'", "1f1b, eager"]),
    ("choice that a schedule has not", "staged.mlir --schedule 1f1b<chunks=2> -o never",
     ["1f1b", "chunks", "2"]),
    ("schedule of other stages", "staged.mlir --micro-batches 4 --schedule zb-v -o never",
     ["staged.mlir:4:1", "zb-v has 4 stages", "has 2", "[@a, @b, @b, @a]"]),
    ("schedule of more pipes than there can be",
     "staged.mlir --micro-batches 4 --schedule chimera<pairs=2> -o never",
     ["staged.mlir:4:1", "pairs", "D/2 = 1", "2 are given"]),
    ("messages without a schedule", "staged.mlir --execute messages -o never",
     ["messages", "needs a schedule", "micro-batches"]),
    ("an unknown way to execute", "staged.mlir --execute dynamic -o never",
     ["--execute", "static", "messages"]),
    ("schedule that updates after each micro-batch",
     "staged.mlir --micro-batches 4 --schedule pipedream -o never",
     ["pipedream", "0U", "once"]),
    ("messages without a flush",
     "staged.mlir --micro-batches 4 --schedule pipedream-2bw --execute messages -o never",
     ["without a flush", "by_messages"]),
    ("absent schedule", "staged.mlir --schedule absent.csv -o never", ["absent.csv"]),
    ("schedule of another format", "staged.mlir --schedule staged.mlir -o never",
     ["staged.mlir: line 1, cell 1"]),
    ("schedule of other groups", "staged.mlir --schedule one.csv -o never",
     ["one.csv has 1 line,", "2 groups"]),
    ("schedule on the other group", "staged.mlir --schedule turned.csv -o never",
     ["turned.csv:1:1", "stage 0 on worker 1, @b", "worker 0, @a"]),
    ("schedule that cannot be run", "staged.mlir --schedule cycle.csv -o never",
     ["cycle.csv:1:1", "backward of stage 1, micro-batch 0", "waits"]),
    ("schedule of other micro-batches",
     "staged.mlir --micro-batches 4 --schedule two.csv -o never",
     ["two.csv:1:1", "2 micro-batches", "4"]),
    ("schedule of what is differentiated", "local.mlir --schedule 1f1b -o never",
     ["1f1b", "differentiated already"]),
    ("unknown CPU", "fine.mlir -n 2 --cpu abacus -o never", ["abacus", "x86-64"]),
    ("absent plugin", "fine.mlir -n 2 --load-dialect-plugin absent.so -o never",
     ["absent.so"]),
    ("unknown option", "fine.mlir --rank 2 -o never", ["--rank"]),
    ("program in no folder", "fine.mlir -n 2 -o absent/never", ["absent/never"]),
    ("program over a folder", "fine.mlir -n 2 -o .", ["folder"]),
    ("program over its model", "fine.mlir -n 2 -o ./fine.mlir", ["replace", "fine.mlir"]),
    ("program over a device", "fine.mlir -n 2 -o /dev/null", ["/dev/null", "regular"]),
    ("program to standard output", "fine.mlir -n 2 -o -", ["-o FILE"]),
    ("form in no folder", "fine.mlir -n 2 --emit placed -o absent/never",
     ["absent/never"]),
    ("forms under a file", "fine.mlir -n 2 --dump-forms x.npy/forms -o never",
     ["x.npy/forms"]),
]

# The folder also contains these models.
HUGE = """func.func @f(%x: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  return %x : tensor<9223372036854775807xf32>
}
"""
GROUPS = """sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "rank">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "rank">]
sbp.stages [@a, @b]
"""
RESOURCE = """func.func @f() -> tensor<4xf32> {
  %y = nn.constant dense_resource<absent> : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


def doubling_calls(count):
    """Returns functions, one per line, each of which calls the previous one twice, and a
    function that calls the last one."""
    x = "tensor<4xf32>"
    lines = [f"func.func private @f0(%x: {x}) -> {x} {{ %y = nn.relu %x : {x} return %y : {x} }}"]
    for number in range(1, count + 1):
        call = f"call @f{number - 1}"
        lines.append(f"func.func private @f{number}(%x: {x}) -> {x} {{ "
                     f"%y = {call}(%x) : ({x}) -> {x} %z = {call}(%y) : ({x}) -> {x} "
                     f"return %z : {x} }}")
    lines += [f"func.func @f(%x: {x}) -> {x} {{", f"%y = call @f{count}(%x) : ({x}) -> {x}",
              f"return %y : {x} }}"]
    return "\n".join(lines)


# The right data, of 16 samples in batches of 8, for mistakes elsewhere.
DATA = "--data x=x.npy --data t=t.npy "

# Mistakes in the use of the program of fine.mlir.
RUNNING = [
    ("missing input", "--data x=x.npy", ['"t"', "8xi32", "--data t=FILE"]),
    ("input by a wrong name", DATA + "--data z=x.npy", ['"z"', '"x", "t"']),
    ("input twice", DATA + "--data x=t.npy", ["x.npy and t.npy"]),
    ("data for the learning rate", DATA + "--data lr=x.npy", ['"lr"', "--lr"]),
    ("data without a name", "--data x.npy", ["name=file", "x.npy"]),
    ("wrong shape", "--data x=t.npy --data t=t.npy", ["16xi32", "8x4xf32"]),
    ("wrong type", "--data x=x.npy --data t=floats.npy", ["16xf32", "8xi32"]),
    ("unequal numbers of samples", "--data x=x.npy --data t=short.npy", ["16", "4"]),
    ("less than a batch", "--data x=x4.npy --data t=short.npy", ["4 samples", "8"]),
    ("no samples", "--data x=x.npy --data t=none.npy", ["16", "0"]),
    ("absent data", "--data x=absent.npy --data t=t.npy", ["absent.npy"]),
    ("folder for data", "--data x=. --data t=t.npy", ["no regular file"]),
    ("empty data", "--data x=empty --data t=t.npy", ["empty", ".npy"]),
    ("half of the data", "--data x=x.npy --data t=half.npy", ["32 bytes", "16xi32"]),
    ("more than the data", "--data x=x.npy --data t=more.npy",
     ["more.npy", "65 bytes", "16xi32", "64"]),
    ("half of a header", "--data x=x.npy --data t=header.npy", ["header.npy"]),
    ("data of another format", "--data x=fine.mlir --data t=t.npy", ["fine.mlir"]),
    ("label that is no class", "--data x=x.npy --data t=labels.npy --save never",
     ["labels.npy", "sample 13 is 3", '"t"', "0 to 2"]),
    ("label below zero", "--data x=x.npy --data t=minus.npy --dump w=never",
     ["minus.npy", "sample 15 is -1", '"t"', "0 to 2"]),
    ("label that an evaluation meets",
     "--entry loss --data x=x.npy --data t=labels.npy --dump loss=never",
     ["sample 13 is 3"]),
    ("text for a model without tokens", "--text fine.mlir", ["fine.mlir"]),
    ("sample of a model without tokens", "--sample 5", ["loss", "logits"]),
    ("no steps", DATA + "--steps 0", ["--steps", '"0"', "1 to"]),
    ("steps below zero", DATA + "--steps -1", ["--steps", '"-1"']),
    ("steps without end", DATA + "--steps 99999999999999999999", ["--steps"]),
    ("steps that are no number", DATA + "--steps many", ['"many"']),
    ("steps left out", DATA + "--steps", ["--steps"]),
    ("learning rate below zero", DATA + "--lr -0.1", ["--lr", '"-0.1"']),
    ("learning rate that is no number", DATA + "--lr nan", ["--lr", '"nan"']),
    ("infinite learning rate", DATA + "--min-lr 1e39", ["--min-lr", '"1e39"']),
    ("warm-up below zero", DATA + "--warmup -1", ["--warmup", '"-1"']),
    ("seed below zero", DATA + "--seed -1", ["--seed", '"-1"']),
    ("unknown schedule", DATA + "--schedule sawtooth",
     ['"sawtooth"', "constant, linear, cosine"]),
    ("no time to wait", DATA + "--wait-timeout 0", ["--wait-timeout", '"0"']),
    ("unknown transport", DATA + "--transport pigeon", ['"pigeon"', "auto, shm, ucx"]),
    ("unknown option", DATA + "--stpes 3", ["--stpes"]),
    ("unknown entry", DATA + "--entry losss", ['"losss"', "loss, train_step"]),
    ("parameters to no folder", DATA + "--save absent/p", ["absent/p"]),
    ("parameters over a folder", DATA + "--save .", ["folder"]),
    ("parameters over a device", DATA + "--save /dev/full", ["/dev/full"]),
    ("dump over a device", DATA + "--dump w=/dev/full", ["/dev/full"]),
    ("dump of the unknown", DATA + "--dump v=v.npy", ['"v"', "loss, w"]),
    ("two things to one file", DATA + "--save p --dump w=p", ["--save", "--dump w", "p"]),
    ("absent parameters", DATA + "--load absent", ["absent"]),
    ("folder for parameters", DATA + "--load .", ["no regular file"]),
    ("empty parameters", DATA + "--load empty", ["empty", "safetensors"]),
    ("parameters of another format", DATA + "--load x.npy", ["x.npy", "safetensors"]),
    ("half of the parameters", DATA + "--load half.safetensors", ["half.safetensors"]),
    ("more than the parameters", DATA + "--load more.safetensors",
     ["more.safetensors", "[48, 68)", "no tensor"]),
    ("parameters of another model", DATA + "--load other.safetensors",
     ["other.safetensors", '"w"', "4x3xf32"]),
    ("parameters of another shape", DATA + "--load turned.safetensors",
     ['"w"', "3x4xf32", "4x3xf32"]),
    ("parameters that another optimizer trained", DATA + "--load adam.safetensors",
     ["adam.safetensors", "adam<beta1 = 0.8>", "sgd", "--load-anyway optimizer"]),
    ("parameters of other data", DATA + "--load data.safetensors",
     ["data.safetensors", '"x"', "x.npy", "9-0123", "--load-anyway data"]),
    ("parameters of a run that is complete", DATA + "--load done.safetensors",
     ["done.safetensors", "5 steps", "--steps N"]),
    ("difference that is none", DATA + "--load done.safetensors --load-anyway seed",
     ['"seed"', "data, optimizer"]),
    ("checkpoints without a name", DATA + "--save-every 5", ["--save-every", "--save"]),
    ("checkpoints kept of none", DATA + "--save p --keep 5", ["--keep", "--save-every"]),
    ("parameters of a step that is none", DATA + "--load late.safetensors",
     ["late.safetensors", str(2**63 - 1)]),
]

# Mistakes in the use of a GPT with 65 tokens and texts of 16 tokens.
TEXT = [
    ("byte that is no token", "--text book.txt", ["book.txt", "byte 7 is 122", "0 to 64"]),
    ("text shorter than a sequence", "--text short.txt", ["5 bytes", "16", "17"]),
    ("empty text", "--text empty", ["0 bytes", "17"]),
    ("absent text", "--text absent.txt", ["absent.txt"]),
    ("folder for a text", "--text .", ["no regular file"]),
    ("text and sample", "--text digits.txt --sample 3", ["--sample", "--text"]),
    ("prompt that is no token", "--sample 3 --prompt 12AB",
     ["--prompt", "byte 2 is 65", "0 to 64"]),
    ("no prompt", "--sample 3 --prompt=", ["--prompt"]),
    ("no sample", "--sample 0", ["--sample", '"0"']),
    ("temperature below zero", "--sample 3 --temperature -1", ["--temperature", '"-1"']),
    ("choice among less than none", "--sample 3 --top-k -1", ["--top-k", '"-1"']),
]


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    os.chdir(folder)
    write_files(folder)
    training.run(tools.sbpc, "fine.mlir", "-n", "2", "--emit", "local", "-o", "local.mlir")
    failures = compiling(tools) + running(tools)
    sys.exit("\n\n".join(failures) or None)


def compiling(tools):
    """Returns mistakes in models and in the use of the compiler."""
    failures = []
    for name, text, instead, words in MODELS:
        pathlib.Path("mistake.mlir").write_text(MODEL.replace(text, instead))
        failures += failing.complaints(
            name, words, [tools.sbpc, "mistake.mlir", "-n", "2", "-o", "never"])
    for name, arguments, words in COMPILING:
        failures += failing.complaints(name, words, [tools.sbpc] + arguments.split())
    return failures + failing.complaints(
        "form for a full disk", ["form.mlir", "large"],
        [tools.sbpc, "fine.mlir", "-n", "2", "--emit", "placed", "-o", "form.mlir"],
        file_limit=100)


def running(tools):
    """Returns mistakes in the use of a program, of one rank and of four."""
    training.run(tools.generator, *training.EXTENTS, "--vocabulary", "65", "-o",
                 "gpt.mlir")
    for model in ("fine", "gpt"):
        for ranks in ("1", "4"):
            training.run(tools.sbpc, f"{model}.mlir", "-n", ranks, "-o", model + ranks)

    def ways(model):
        """Returns the ways to start a program: alone, as threads, as processes."""
        return ([f"./{model}1"], [f"./{model}4", "--in-process"],
                [tools.sbprun, "-n", "4", f"./{model}4"])

    failures = []
    for model, right, table in (("fine", DATA, RUNNING),
                                ("gpt", "--text digits.txt", TEXT)):
        for way in ways(model):
            # The commands without a mistake succeed.
            training.run(*way, *right.split(), "--steps", "2")
            for name, arguments, words in table:
                failures += failing.complaints(name, words, way + arguments.split(),
                                               is_line=True)

    alone, threads, _ = ways("fine")
    sbprun = [tools.sbprun, "-n"]
    for name, command, words in (
            ("no launcher", ["./fine4"], ["4 ranks", "sbprun -n 4"]),
            ("fewer ranks", [*sbprun, "3", "./fine4"], ["4 ranks", "3"]),
            ("more ranks", [*sbprun, "4", *alone], ["1 rank", "4"]),
            ("all ranks in each process", [*sbprun, "4", *threads],
             ["--in-process", "4 processes"]),
            ("no ranks", [*sbprun, "0", "./fine4"], ["0"]),
            ("absent program", [*sbprun, "4", "./absent"], ["absent"]),
            ("folder for a program", [*sbprun, "4", "."], ["."]),
            ("data for a program", [*sbprun, "4", "./x.npy"], ["x.npy"])):
        failures += failing.complaints(name, words, command + DATA.split())
    for way in (alone, threads):
        for what in ("--save never", "--dump w=never"):
            failures += failing.complaints("full disk", ["never", "large"],
                                           way + (DATA + what).split(), file_limit=50)
    return failures


def write_files(folder):
    """Writes the files that the tables name."""
    level = 'sbp.machine @{} [#sbp.level<"rank" x {}, alpha = 1.0e-6, beta = 1.0e-10>]\n'
    axis = 'sbp.mesh @grid of @host [#sbp.axis<"row" x 3 in "rank">]\n'
    for name, text in {
            "fine.mlir": MODEL, "empty": "", "deep.mlir": "[" * 5000,
            "deep_types.mlir": f"func.func private @f({'tensor<2x' * 100000}",
            "long_shape.mlir": f"func.func private @f(tensor<{'1x' * 100000}f32>)",
            "calls.mlir": doubling_calls(40), "huge.mlir": HUGE, "resource.mlir": RESOURCE,
            "four.mlir": level.format("host", 4), "none.mlir": level.format("host", 0),
            "large.mlir": level.format("host", 100000000),
            "mesh.mlir": level.format("host", 4) + axis,
            "two.mlir": level.format("a", 4) + level.format("b", 2),
            "broken.mlir": level.format("host", 4)[:40],
            "staged.mlir": level.format("host", 2) + GROUPS + MODEL.replace(
                "%x, %w\n", "%x, %w {sbp.stage = 0}\n").replace(
                    "%y, %t :", "%y, %t {sbp.stage = 1} :"),
            "one.csv": "0F0,1F0,1B0,0B0\n", "turned.csv": "1F0,1B0\n0F0,0B0\n",
            "cycle.csv": "0F0,0B0\n1B0,1F0\n", "two.csv": "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n",
            "book.txt": "1234567z" * 40, "digits.txt": "0123456789" * 40,
            "short.txt": "12345"}.items():
        (folder / name).write_text(text)

    labels = [1] * 16
    training.write_npy(folder / "x.npy", "<f4", (16, 4), struct.pack("<64f", *range(64)))
    training.write_npy(folder / "x4.npy", "<f4", (4, 4), bytes(64))
    training.write_npy(folder / "floats.npy", "<f4", (16,), bytes(64))
    training.write_npy(folder / "t.npy", "<i4", (16,), struct.pack("<16i", *labels))
    training.write_npy(folder / "half.npy", "<i4", (16,), bytes(32))
    training.write_npy(folder / "short.npy", "<i4", (4,), bytes(16))
    training.write_npy(folder / "none.npy", "<i4", (0,), b"")
    (folder / "more.npy").write_bytes((folder / "t.npy").read_bytes() + b"?")
    (folder / "header.npy").write_bytes((folder / "t.npy").read_bytes()[:50])
    labels[13] = 3
    training.write_npy(folder / "labels.npy", "<i4", (16,), struct.pack("<16i", *labels))
    labels[13:] = 1, 1, -1
    training.write_npy(folder / "minus.npy", "<i4", (16,), struct.pack("<16i", *labels))

    write_safetensors(folder / "other.safetensors", "v", [4, 3])
    write_safetensors(folder / "turned.safetensors", "w", [3, 4])
    write_safetensors(folder / "late.safetensors", "w", [4, 3], step=str(2**63 - 1))
    whole = (folder / "late.safetensors").read_bytes()
    (folder / "half.safetensors").write_bytes(whole[:-20])
    (folder / "more.safetensors").write_bytes(whole + bytes(20))
    write_safetensors(folder / "adam.safetensors", "w", [4, 3], step="5",
                      optimizer="adam<beta1 = 0.8>")
    write_safetensors(folder / "data.safetensors", "w", [4, 3],
                      **{"data.x": "9-0123"})
    write_safetensors(folder / "done.safetensors", "w", [4, 3], step="5", steps="5",
                      schedule="cosine", lr="0.1", min_lr="0", warmup="0")


def write_safetensors(path, name, shape, **metadata):
    """Writes a file of one tensor of 12 zeros."""
    header = json.dumps({"__metadata__": metadata, name: {
        "dtype": "F32", "shape": shape, "data_offsets": [0, 48]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(48))


if __name__ == "__main__":
    main()
