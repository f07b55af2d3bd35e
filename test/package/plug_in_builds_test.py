#!/usr/bin/python3
"""A plug-in builds against the installed files, as docs/adding-an-op.md describes, and loads.

This needs no sources of the project: the commands of the page run in a folder of their own, with
the tools, headers and models of the tarball.
"""

import argparse
import os
import pathlib
import re
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
    print(output)
    for use in ("halo_exchange", "squared_relu"):
        if use not in output:
            sys.exit(f"a plug-in that was built is not used: there is no {use}")


if __name__ == "__main__":
    main()
