"""Makes the archive of tools/check-gpu, from this source."""

import array
import json
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import parts

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGETS = ["//tools:sbpc", "//tools:sbprun", "//runtime/cuda/check:check_gpu",
           "//codegen/cuda:Kernels", "//codegen/cuda:EveryOp", "//codegen/cuda:WindowKernels"]
# Tests of kernels whose trials the archive has.
KERNELS = ["Kernels", "EveryOp", "WindowKernels"]
# A machine so slow that ranks share the work of small models.
SLOW = ('sbp.machine @gpus [#sbp.level<"gpu" x {}, alpha = 1.0e-6, beta = 1.0e-10>] device '
        "#sbp.device<kind = gpu, memory = 16GB, bandwidth = 1.0e8, rates = [#sbp.rate<f32, "
        "1.0e8>]>\n")
STEPS = 20
TRAINING = ["--lr", "1e-3", "--seed", "7"]
# Numbers of ranks, and options of the script that writes the model.
GPT = {1: [], 2: ["--plan", "data-parallel", "--mesh", "2"],
       4: ["--plan", "data-megatron", "--mesh", "2x2"]}
CNN = {1: [], 2: ["--plan", "space", "--mesh", "2"],
       4: ["--plan", "data-filters", "--mesh", "2x2"]}
MLP = [1, 2, 4]
GPT_EXTENTS = ["--layers", "2", "--width", "64", "--heads", "4", "--batch", "8", "--sequence", "64"]
CNN_EXTENTS = ["--batch", "4", "--extent", "16", "--width", "8", "--stages", "2", "--classes", "10"]
TEXT = "text.txt"
# Types in which GPT-2 small computes.
GPT2 = ["f32", "bf16"]
# A kernel that only training runs, whose body the faulty programs replace.
FAULTY = re.compile(rb"\.visible \.entry cross_entropy_grad\w*\([^)]*\)[^{]*\{")


def pack(file, chip):
    """Writes the archive."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "check-gpu"
        fill(folder, chip)
        run("tar", "czf", file.resolve(), "-C", temporary, "check-gpu")
    size = file.stat().st_size / 1e6
    print(f"{file}: {size:.1f} MB; unpack it on a machine with a GPU, and run "
          "check-gpu/check-gpu", file=sys.stderr)


def run_here(chip, parts):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "check-gpu"
        fill(folder, chip)
        sys.exit(subprocess.run([folder / "check-gpu", "--parts", parts], check=False).returncode)


def fill(folder, chip):
    """Puts all that the archive has into `folder`."""
    say("building")
    run("bazel", "build", *TARGETS, cwd=ROOT)
    built = ROOT / "bazel-bin"
    copy_tools(folder, built / "tools/sbprun", built / "runtime/cuda/check/check_gpu")
    Packer(folder, chip, built / "tools/sbpc").pack()
    record_kernels(folder, built)


def copy_tools(folder, sbprun, check_gpu):
    """Puts what runs the checks, and a text, into `folder`."""
    for part in "programs", "kernels", "gpu":
        (folder / part).mkdir(parents=True)
    for file in ROOT / "tools/check-gpu", sbprun, check_gpu:
        shutil.copy(file, folder)
    for script in "parts.py", "torch_step.py":
        shutil.copy(ROOT / "tools/gpu" / script, folder / "gpu")
    shutil.copy(ROOT / "models/text/genesis.txt", folder / TEXT)


class Packer:
    """Compiles the programs of an archive, and computes their losses on this CPU."""

    def __init__(self, folder, chip, sbpc, finish=lambda program, options: None):
        """`finish` is called after each program for GPUs, with the options of sbpc."""
        self._folder = folder
        self._chip = chip
        self._sbpc = sbpc
        self._finish = finish
        self._losses = {}  # on a CPU, by the script or the file of the model
        self._expected = {}
        self._work = pathlib.Path(tempfile.mkdtemp())

    def pack(self):
        images = self._images(8, 16, 10)
        pixels = self._inputs("mlp", {"image": ("f", (128, 784)), "label": ("i", (128,))}, 10)
        for ranks, options in GPT.items():
            self._model(f"gpt-{ranks}", "gpt.py", [*GPT_EXTENTS, *options], ranks,
                        ["--text", TEXT])
        for ranks, options in CNN.items():
            self._model(f"cnn-{ranks}", "cnn.py", [*CNN_EXTENTS, *options], ranks, images)
        for ranks in MLP:
            machine = self._work / "machine.mlir"
            machine.write_text(SLOW.format(ranks))
            self._compile(f"mlp-{ranks}", ROOT / "models/mlp.mlir", ranks, pixels, "mlp",
                          "--machine", machine)
        for fault in "traps", "hangs":
            self._model(f"gpt-2-{fault}", "gpt.py", [*GPT_EXTENTS, *GPT[2]], 2, ["--text", TEXT],
                        "-n", 2, "--ptxas", "none", has_losses=False)
            self._break(self._folder / "programs" / f"gpt-2-{fault}", fault)
        for compute in GPT2:
            self._model(f"gpt2-{compute}", "gpt.py",
                        ["--preset", "gpt2", "--compute", compute], 1, ["--text", TEXT],
                        has_losses=False)
        (self._folder / "expected.json").write_text(json.dumps(self._expected, indent=1))
        shutil.rmtree(self._work)

    def _model(self, name, script, extents, ranks, data, *options, has_losses=True):
        model = self._work / "model.mlir"
        run(ROOT / "models" / script, *extents, "-o", model)
        self._compile(name, model, ranks, data, script if has_losses else None, *options)

    def _compile(self, name, model, ranks, data, peer, *options):
        """Compiles a program. Those of one `peer` have the losses of the first; if it is None,
        no losses are expected."""
        say(name)
        self._expected[name] = {"ranks": ranks, "data": data, "training": TRAINING}
        program = self._folder / "programs" / name
        options = [model, *(options or ["-n", ranks]), "--target", "cuda", "--gpu", self._chip]
        run(self._sbpc, *options, "-o", program)
        self._finish(program, options)
        if peer is None:
            return
        if peer not in self._losses:
            self._losses[peer] = self._on_cpu(model, data)
        self._expected[name]["losses"] = self._losses[peer]

    def _on_cpu(self, model, data):
        program = self._work / "cpu"
        run(self._sbpc, model, "-n", "1", "-o", program)
        out = run(program, "--in-process", *parts.located(self._folder, data), *TRAINING,
                  "--steps", STEPS, "--json")
        return [json.loads(line)["loss"] for line in out.splitlines()]

    def _break(self, program, fault):
        """Replaces the body of a kernel in the PTX of a program, by one that traps or hangs."""
        code = program.read_bytes()
        body = {"traps": b"\n\ttrap;\n\tret;\n", "hangs": b"\n$H:\n\tbra $H;\n"}[fault]
        parts, end = [], 0
        for match in FAULTY.finditer(code):
            close = code.index(b"\n}", match.end())
            parts += [code[end:match.end()], body.ljust(close - match.end())]
            end = close
        if not parts:
            sys.exit(f"check-gpu: {program.name} has no kernel of cross_entropy_grad")
        program.write_bytes(b"".join(parts) + code[end:])

    def _images(self, batch, extent, classes):
        return self._inputs("cnn", {"images": ("f", (batch, 3, extent, extent)),
                                    "labels": ("i", (batch,))}, classes)

    def _inputs(self, name, inputs, classes):
        """Writes random inputs as .npy files. Returns the options that feed them."""
        numbers = random.Random(1)
        options = []
        for key, (kind, shape) in inputs.items():
            values = [numbers.gauss(0, 1) if kind == "f" else numbers.randrange(classes)
                      for _ in range(math.prod(shape))]
            file = f"{name}-{key}.npy"
            header = f"{{'descr': '<{kind}4', 'fortran_order': False, 'shape': {shape}}}"
            header = header.ljust(117) + "\n"  # with what comes before it, 128 bytes
            (self._folder / file).write_bytes(
                b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                array.array(kind, values).tobytes())
            options += ["--data", f"{key}={file}"]
        return options


def record_kernels(folder, built):
    """Runs the tests of kernels, which write their trials."""
    for name in KERNELS:
        say(f"kernels of {name}")
        trials = folder / "kernels" / name
        trials.mkdir()
        run(built / "codegen/cuda" / name, "--gtest_brief=1", cwd=ROOT,
            env={**os.environ, "SBP_TRIALS_FOLDER": str(trials)})
        for file in sorted(trials.iterdir()):
            file.rename(folder / "kernels" / f"{name}-{file.name}")
        trials.rmdir()


def say(what):
    print(f"check-gpu: {what} ({time.strftime('%H:%M:%S')})", file=sys.stderr, flush=True)


def run(*words, **settings):
    """Returns the output of a command. Ends the program with all of it if it fails."""
    result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False, **settings)
    if result.returncode != 0:
        sys.exit(f"$ {' '.join(map(str, words))}\n{result.stdout}{result.stderr}"
                 f"exit status {result.returncode}")
    return result.stdout
