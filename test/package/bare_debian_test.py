#!/usr/bin/python3
"""The packages run on a bare Debian: without python3, for any user, from any folder.

dpkg installs the Debian package and finds all of its dependencies. The tarball is in a folder with
a space in its name, and its tools are called by links. In both, a model is compiled to a program
that trains, passes run, a plug-in loads, each tool prints its version, and the licence is
installed. Skipped where the kernel does not permit a process to have a folder as its root.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import bare_debian

# Runs in the home of a user; $1 is the prefix, $2 the folder of the tools.
COMMANDS = r"""
set -eu
prefix="$1" bin="$2"
mkdir "a folder of mine"
cd "a folder of mine"

for tool in "$prefix"/bin/sbp*; do
  "$bin/${tool##*/}" --version
done

grep -q "LLVM Exceptions" "$prefix/share/doc/sbp/LICENSE"
grep -q "LLVM-exception" "$prefix/share/doc/sbp/copyright"

"$bin/sbpc" "$prefix/share/sbp/models/gpt_demo.mlir" -n 2 -o "my program"
"$bin/sbprun" -n 2 "./my program" --text "$prefix/share/sbp/models/text/genesis.txt" \
  --steps 2 --save "my parameters"
"./my program" --in-process --load "my parameters" --sample 8
"./my program" --version

"$bin/sbpc" "$prefix/share/sbp/models/mlp.mlir" -n 2 --emit placed \
  --load-dialect-plugin "$prefix/lib/sbp/plugins/summa.so" > /dev/null
"$bin/sbp-opt" "$prefix/share/sbp/models/mlp.mlir" --sbp-differentiate > /dev/null
"""

TOOLS = {"sbp-hosts", "sbp-interpret", "sbp-lab", "sbp-lsp-server", "sbp-opt", "sbpc",
         "sbprun"}
VERSION = re.compile(r"^([\w-]+) \d+\.\d+\.\d+ \(commit [\w-]+, LLVM 22\.\d+\.\d+\)$",
                     re.M)
PROGRAM = re.compile(r"^gpt_demo, plan [0-9a-f]{16}, 2 ranks, by sbpc \d.*LLVM", re.M)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", type=pathlib.Path, nargs="+", required=True)
    packages = {path.suffix: path for path in parser.parse_args().packages}
    try:
        bare_debian.check_isolation()
    except bare_debian.CannotIsolate as error:
        print(f"skipped: {error}")
        return
    with tempfile.TemporaryDirectory() as folder:
        debian = bare_debian.BareDebian(folder)
        check_tarball(debian, packages[".gz"])
        check_debian_package(debian, packages[".deb"])


def check_tarball(debian, tarball):
    (debian.home / tarball.name).write_bytes(tarball.read_bytes())
    debian.run_as_user(["bash", "-euc", f'''
        mkdir "my tools" links
        tar -xf {tarball.name} -C "my tools" --strip-components=1
        ln -s ~/"my tools"/bin/* links/'''])
    check_tools(debian, "/home/user/my tools", "../links")
    shutil.rmtree(debian.home)
    debian.home.mkdir()


def check_debian_package(debian, package):
    target = debian.root / "root" / package.name
    target.write_bytes(package.read_bytes())
    debian.run_as_root(["dpkg", "--install", f"/root/{package.name}"])
    check_tools(debian, "/usr", "/usr/bin")
    debian.run_as_root(["dpkg", "--purge", "sbp"])
    if left := [path for path in debian.root.rglob("*sbp*")
                if path.is_file() and "/proc/" not in str(path) and path != target]:
        sys.exit(f"dpkg --purge leaves {left}")


def check_tools(debian, prefix, tools):
    # The sample of an untrained model may be any bytes.
    output = debian.run_as_user(["bash", "-c", COMMANDS, "bash", prefix, tools],
                                stdout=subprocess.PIPE, text=True,
                                errors="replace").stdout
    print(output, flush=True)
    if (named := set(VERSION.findall(output))) != TOOLS:
        sys.exit(f"of {TOOLS} these say what they are: {named}")
    if not PROGRAM.search(output):
        sys.exit("the program does not say which it is")


if __name__ == "__main__":
    main()
