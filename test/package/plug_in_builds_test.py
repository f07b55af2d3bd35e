#!/usr/bin/python3
"""Plug-ins build against the installed files, as docs/adding-an-op.md describes, and load.

This needs no sources of the project: the commands of the page run in a folder of their own, with
the tools, headers, examples and models of the tarball. They build both examples by CMake, check
their ops, and compile models with them. Where CMake finds another compiler, or other versions of
LLVM, and where the plug-in was built with other headers, there is one error.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LLVM = pathlib.Path("/usr/lib/llvm-22")

# What the output of the page's commands has if they used what they built.
USES = [r"halo_exchange", r"squared_relu_\d", r"gated_norm_grad_\d",
        r"mamba\.gated_norm_grad .* right", r"100% tests passed, 0 tests failed out of 1"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--packages", type=pathlib.Path, nargs="+", required=True)
    options = parser.parse_args()
    tarball = next(path for path in options.packages if path.suffix == ".gz").resolve()
    commands = re.findall(r"^```sh\n(.*?)^```$", options.page.read_text(), re.M | re.S)
    if not commands:
        sys.exit("the page says no commands")
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder, "package")
        package.mkdir()
        subprocess.run(["tar", "-xf", tarball, "--strip-components=1"], cwd=package, check=True)
        environment = {"PATH": f"{package}/bin:{os.environ['PATH']}",
                       "SBP": f"{package}/share/sbp"}
        output = subprocess.run(["bash", "-evu", "-c", "\n".join(commands)], cwd=folder,
                                env=environment, check=True, stdout=subprocess.PIPE,
                                text=True).stdout
        print(output)
        for use in USES:
            if not re.search(use, output):
                sys.exit(f"a plug-in that was built is not used: there is no {use}")
        check_refusals(pathlib.Path(folder), package, environment)


def check_refusals(folder, package, environment):
    """Ends the test unless CMake has one error for each wrong tool, and sbpc one for a plug-in
    that was built with other headers."""
    other = other_llvm(folder)
    for reason, definitions in {
            r"plug-ins are compiled by clang 22, but the compiler is Clang 22 for a test": None,
            r"sbp was built with LLVM (22\.\d+\.\d+), but the headers in \S+ are of LLVM 22\.9\.9; "
            r"install .* of version \1": {"sbp_LLVM_INCLUDE_DIR": other / "include"},
            r"sbp was built with LLVM (22\.\d+\.\d+), but \S+ is of LLVM 22\.9\.9; "
            r"install mlir-22-tools of version \1": {"sbp_MLIR_TBLGEN": other / "mlir-tblgen"},
    }.items():
        pass
