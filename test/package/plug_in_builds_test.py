#!/usr/bin/python3
"""Plug-ins build against the installed files, as docs/adding-an-op.md describes, and load.

A user of a bare Debian, with the packages that the page names and no sources of the project, runs
the commands of the page. They build both examples by CMake, check their ops, and compile models
with them. There is one error where CMake finds another compiler or another LLVM, and where a
plug-in was built with other headers. On a kernel that does not permit a process to have a folder
as its root, the commands run in a folder of this machine.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import bare_debian

# What the output of the page's commands has if they used what they built.
USES = [r"halo_exchange", r"primer\.squared_relu .* right", r"squared_relu_\d",
        r"100% tests passed, 0 tests failed out of 1", r"gated_norm_grad_\d"]

INSTALL = """
mkdir package
tar -xf "$1" -C package --strip-components=1
"""
SURROUNDINGS = """
export PATH="$HOME/package/bin:$PATH" SBP="$HOME/package/share/sbp"
"""

# Wrong tools, made of the right ones. Each is the first that CMake finds in one configuration.
WRONG_TOOLS = r"""
mkdir -p wrong/include/llvm/Config wrong/include/mlir/IR
cat > wrong/clang++ <<'END'
#!/bin/sh
exec clang++-22 -Wno-builtin-macro-redefined -D__clang_major__=21 "$@"
END
cat > wrong/mlir-tblgen <<'END'
#!/bin/sh
echo "  LLVM version 22.9.9"
END
chmod +x wrong/clang++ wrong/mlir-tblgen
echo '#define LLVM_VERSION_STRING "22.9.9"' > wrong/include/llvm/Config/llvm-config.h
touch wrong/include/mlir/IR/OpBase.td
"""
RIGHT_COMPILER = "-DCMAKE_CXX_COMPILER=clang++-22"
REFUSALS = {
    '-DCMAKE_CXX_COMPILER="$PWD"/wrong/clang++':
        r"plug-ins are compiled by clang 22, but the compiler is Clang 21\.\S+ install clang-22",
    RIGHT_COMPILER + ' -Dsbp_LLVM_INCLUDE_DIR="$PWD"/wrong/include':
        r"built with LLVM (22\.\d+\.\d+), but the headers in \S+ are of LLVM 22\.9\.9; install "
        r"llvm-22-dev and libmlir-22-dev of version \1",
    RIGHT_COMPILER + ' -Dsbp_MLIR_TBLGEN="$PWD"/wrong/mlir-tblgen':
        r"built with LLVM (22\.\d+\.\d+), but \S+ is of LLVM 22\.9\.9; install mlir-22-tools of "
        r"version \1",
    RIGHT_COMPILER + ' -Dsbp_LLVM_INCLUDE_DIR="$PWD"/primer':
        r"there are no headers of MLIR in \S+/primer; install libmlir-22-dev",
}

# A plug-in that was built with one more member in a class.
SKEWED = r"""
cp -r package/include/sbp skewed
sed -i 's/^struct LoopNest {/&\n  double mine = 1;/' skewed/dialects/sbp/LoopNest.h
clang++-22 -std=c++17 -O0 -fPIC -shared -Iprimer/build/primer.generated -Iskewed \
    -I/usr/lib/llvm-22/include primer/Primer.cpp -o skewed.so
sbpc mlp.mlir -n 1 --load-dialect-plugin ./skewed.so --emit placed
"""
SKEWED_ERROR = re.compile(
    r"error: cannot load the dialect plug-in \./skewed\.so: it was built with headers "
    r"([0-9a-f]{16}) and LLVM (\S+), this tool with headers (?!\1)[0-9a-f]{16} and LLVM \2; build "
    r"it again with .*\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--packages", type=pathlib.Path, nargs="+", required=True)
    options = parser.parse_args()
    tarball = next(path for path in options.packages if path.suffix == ".gz")
    page = options.page.read_text()
    commands = "".join(re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S))
    packages = re.search(r"^apt-get install (.*)$", page, re.M)
    if not commands or not packages:
        sys.exit("the page has no commands, or names no packages")
    with tempfile.TemporaryDirectory() as folder:
        home, run = user_with(folder, packages[1].split())
        (home / tarball.name).write_bytes(tarball.read_bytes())
        run(["bash", "-euc", INSTALL, "bash", tarball.name])
        check_page(run, commands)
        check_refusals(run)


def user_with(folder, packages):
    """Returns the home of a user, and a function that runs a command there as this user: on a
    bare Debian that has `packages` and python3, if that can be."""
    try:
        bare_debian.check_isolation()
    except bare_debian.CannotIsolate as error:
        print(f"on this machine, not on a bare Debian: {error}")
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        return pathlib.Path(folder), lambda command, **keywords: subprocess.run(
            command, cwd=folder, env=environment, **{"check": True, **keywords})
    debian = bare_debian.BareDebian(folder)
    debian.install("python3", *packages)
    return debian.home, debian.run_as_user


def check_page(run, commands):
    """Runs the commands of the page. Ends the test unless they use what they build."""
    output = run(["bash", "-evuc", SURROUNDINGS + commands], stdout=subprocess.PIPE,
                 text=True).stdout
    print(output)
    for use in USES:
        if not re.search(use, output):
            sys.exit(f"a plug-in that was built is not used: there is no {use}")


def check_refusals(run):
    """Ends the test unless each wrong tool, and a plug-in of other headers, is one error."""
    run(["bash", "-euc", WRONG_TOOLS])
    for options, reason in REFUSALS.items():
        status, errors = failure_of(run, f"rm -rf refused; cmake -S primer -B refused {options}")
        errors = " ".join(errors.split())
        if status == 0 or errors.count("CMake Error") != 1 or not re.search(reason, errors):
            sys.exit(f"cmake {options}: exit status {status}, not one error {reason}: {errors}")
    status, errors = failure_of(run, SKEWED)
    if status != 1 or not SKEWED_ERROR.fullmatch(errors):
        sys.exit(f"a plug-in of other headers: exit status {status}, not one error: {errors}")


def failure_of(run, commands):
    """Returns the exit status of `commands`, and what they say on standard error."""
    # The user's commands may fail; what runs them must not.
    shell = f"( {SURROUNDINGS} {commands} ) 2> errors && status=0 || status=$?; echo $status"
    status = run(["bash", "-uc", shell], stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    return int(status), run(["cat", "errors"], stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
