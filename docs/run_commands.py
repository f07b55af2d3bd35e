#!/usr/bin/env python3
"""Runs the commands of a page: run_commands.py TOOLS PAGE OUTPUT. In fenced blocks, lines
that begin with "$ " are commands of tools in the folder TOOLS. Their output replaces the lines
after them."""

import pathlib
import re
import shlex
import subprocess
import sys


def answer(tools, command):
    words = shlex.split(command)
    run = subprocess.run([tools / words[0], *words[1:]], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{command}\n{run.stderr}")
    return run.stdout


def with_answers(tools, block):
    commands = re.findall(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    if not commands:
        return block
    return "```\n" + "\n".join(
        f"$ {command}\n{answer(tools, command)}" for command in commands) + "```\n"


def main():
    tools, page, output = map(pathlib.Path, sys.argv[1:])
    text = re.sub(r"^```\n.*?^```\n", lambda block: with_answers(tools, block.group()),
                  page.read_text(), flags=re.MULTILINE | re.DOTALL)
    output.write_text(text)


if __name__ == "__main__":
    main()
