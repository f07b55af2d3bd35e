#!/usr/bin/python3
"""tools/check-gpu finds that all is right on the stand-ins, and what is wrong.

The archive has smaller models than usual, and one kernel. Programs and the probe have kernels
appended that the stand-in for NVIDIA's driver runs.
"""

import json
import os
import struct
import subprocess
import sys

import gpu
import training

sys.path[:0] = ["tools/gpu"]
import archive  # noqa: E402

# Kernels for the probe: one that does nothing, and one that numbers elements from 1 on.
IR = """; plan none
define ptx_kernel void @nothing() {
  ret void
}
define ptx_kernel void @count(ptr %buffer) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %element = getelementptr i32, ptr %buffer, i32 %thread
  %number = add i32 %thread, 1
  store i32 %number, ptr %element
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def main():
    tools = gpu.parse_tools("probe")
    folder = training.scratch() / "check-gpu"
    archive.copy_tools(folder, tools.sbprun, tools.probe)
    pack(tools, folder)
    append(tools, folder / os.path.basename(tools.probe), IR)
    write_trial(folder / "kernels/right.trials", range(1, 33))
    parts = "driver,costs,kernels,programs,files,nccl"
    expect(run(tools, folder, parts, 0), [], parts)
    write_trial(folder / "kernels/wrong.trials", range(32))
    spoil(folder)
    expect(run(tools, folder, "kernels,programs", 1),
           ["kernels of wrong", "gpt-2 by peer", "gpt-2 by staged"], "kernels,programs")


def pack(tools, folder):
    """Compiles small programs, with their kernels appended."""
    archive.GPT = {1: [], 2: archive.GPT[2]}
    archive.GPT_EXTENTS = ["--layers", "1", *gpu.SMALL_GPT[:-4], "--batch", "2",
                           "--sequence", "8"]
    archive.CNN, archive.MLP, archive.GPT2 = {}, [2], []

    def finish(program, options):
        kernels = program.with_suffix(".ll")
        training.run(tools.sbpc, *options, "--emit", "llvm", "-o", kernels)
        training.run(tools.append, program, kernels)
        kernels.unlink()

    archive.Packer(folder, "sm_90a", tools.sbpc, finish).pack()


def append(tools, program, ir):
    file = program.with_suffix(".ll")
    file.write_text(ir)
    training.run(tools.append, program, file)


def write_trial(path, numbers):
    """Writes a trial of @count on 32 elements that is meant to give `numbers`."""
    before, after = struct.pack("<32i", *[-1] * 32), struct.pack("<32i", *numbers)
    text = json.dumps({
        "name": path.stem, "code": [{"chip": "sm_80", "ptx": "// plan none\n"}],
        "trials": [{"name": "count",
                    "launches": [{"function": "count", "blocks": 1, "threads": 32}],
                    "buffers": [{"type": "i32", "bytes": 128}]}]})
    path.write_bytes(f"{len(text)}\n{text}".encode() + before + after)


def spoil(folder):
    """Changes a loss that is expected."""
    file = folder / "expected.json"
    expected = json.loads(file.read_text())
    expected["gpt-2"]["losses"][-1] *= 1.001
    file.write_text(json.dumps(expected))


def run(tools, folder, parts, status):
    """Runs the checks. Returns the lines that they print."""
    libraries = ":".join(os.path.dirname(path) for path in (tools.driver, tools.nccl))
    result = subprocess.run([folder / "check-gpu", "--parts", parts], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False,
                            env={**os.environ, "LD_LIBRARY_PATH": libraries})
    print(result.stdout)
    if result.returncode != status:
        sys.exit(f"exit status {result.returncode}: {result.stdout}{result.stderr}")
    lines = result.stdout.splitlines()
    if not lines[-1].endswith("checks passed"):
        sys.exit(f"the last line is {lines[-1]}")
    return [json.loads(line) for line in lines[:-1]]


def expect(lines, wrong, parts):
    """Ends the test unless exactly the checks `wrong` fail, and each part has a check."""
    failed = [line["check"] for line in lines if line.get("ok") is False]
    checked = {line["part"] for line in lines if line.get("ok")}
    if failed != wrong or not set(parts.split(",")) <= checked | {"kernels"}:
        sys.exit(f"{failed} fail, and {checked} have checks: {lines}")


if __name__ == "__main__":
    main()
