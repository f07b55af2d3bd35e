#!/usr/bin/python3
"""README's tour works on a bare Debian, exactly as it is printed.

A user who has the tarball and python3, and may write only to their home, runs the block that
installs the tarball, and all blocks of the tour. Skipped where the kernel does not permit a
process to have a folder as its root.
"""

import argparse
import pathlib
import re
import sys
import tempfile

import bare_debian


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--readme", type=pathlib.Path, required=True)
    parser.add_argument("--packages", type=pathlib.Path, nargs="+", required=True)
    options = parser.parse_args()
    tarball = next(path for path in options.packages if path.suffix == ".gz")
    readme = options.readme.read_text()
    tour = blocks(section(readme, "A tour"))
    install = next(block for block in blocks(section(readme, "Install"))
                   if tarball.name in block)
    if len(tour) < 3:
        sys.exit("README has no tour")
    try:
        bare_debian.check_isolation()
    except bare_debian.CannotIsolate as error:
        print(f"skipped: {error}")
        return
    with tempfile.TemporaryDirectory() as folder:
        debian = bare_debian.BareDebian(folder)
        debian.install("python3")
        (debian.home / tarball.name).write_bytes(tarball.read_bytes())
        # -v shows each line before its output, -e stops at the first failure.
        debian.run_as_user(["bash", "-evu", "-o", "pipefail", "-c",
                            "\n".join([install, *tour])])
        parameters = debian.home / "tour/gpt.safetensors"
        if not parameters.exists():
            sys.exit("the tour has trained nothing")


def section(page, title):
    """Returns the text under the heading `## title`."""
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]


def blocks(text):
    """Returns the blocks of commands: those fenced as `sh`."""
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


if __name__ == "__main__":
    main()
