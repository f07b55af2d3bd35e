#!/usr/bin/python3
"""A plug-in builds against the installed files, as docs/adding-an-op.md describes, and loads.

This needs no sources of the project: the commands of the page run in a folder of their own, with
the tools, headers and models of the tarball. A plug-in that was built with other headers is
refused with one error.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--packages", type=pathlib.Path, nargs="+", required=True)
    options = parser.parse_args()
    tarball = next(path for path in options.packages if path.suffix == ".gz").resolve()
    section = re.search(r"^## Outside this tree\n(.*?)(?=^#|\Z)",
                        options.page.read_text(), re.M | re.S)[1]
    commands = re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)
    if not commands:
        sys.exit("the page says no commands")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-xf", tarball, "--strip-components=1"], cwd=folder,
                       check=True)
        environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}",
                       "SBP": f"{folder}/share/sbp"}
        output = subprocess.run(["bash", "-evu", "-c", "\n".join(commands)], cwd=folder,
                                env=environment, check=True, stdout=subprocess.PIPE,
                                text=True).stdout
        other = refusal_of_other_headers(folder, environment)
    print(output, other, sep="\n")
    for use in ("halo_exchange", "squared_relu"):
        if use not in output:
            sys.exit(f"a plug-in that was built is not used: there is no {use}")
    if not re.fullmatch(r"error: cannot load the dialect plug-in \./skewed\.so: it was built "
                        r"with headers ([0-9a-f]{16}) and LLVM (\S+), this tool with headers "
                        r"(?!\1)[0-9a-f]{16} and LLVM \2; build it again with .*\n", other):
        sys.exit("a plug-in that was built with other headers is not refused with one error")


def refusal_of_other_headers(folder, environment):
    """Returns the error of sbpc for a plug-in, built with one more member in a class."""
    shutil.copytree(f"{folder}/include/sbp", f"{folder}/skewed")
    header = pathlib.Path(folder, "skewed/dialects/sbp/LoopNest.h")
    text = header.read_text()
    start = text.index("struct LoopNest {") + len("struct LoopNest {")
    header.write_text(text[:start] + "\n  double mine = 1;" + text[start:])
    # Its generated files are those that the page's commands have left.
    subprocess.run(["clang++-22", "-std=c++17", "-O0", "-fPIC", "-shared", "-I.", "-Ishare/sbp",
                    "-Iskewed", "-I/usr/lib/llvm-22/include", "share/sbp/plugins/primer/Primer.cpp",
                    "-o", "skewed.so"], cwd=folder, env=environment, check=True)
    result = subprocess.run(["sbpc", "mlp.mlir", "-n", "1", "--load-dialect-plugin",
                             "./skewed.so", "--emit", "placed"], cwd=folder, env=environment,
                            stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 1:
        sys.exit(f"sbpc takes a plug-in that was built with other headers: "
                 f"{result.returncode} {result.stderr}")
    return result.stderr


if __name__ == "__main__":
    main()
