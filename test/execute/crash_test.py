#!/usr/bin/env python3
"""A tool that crashes says that this is a bug in it, and what to report:
crash_test.py TOOL..."""

import signal
import subprocess
import sys
import time


# Arguments with which each tool runs for long: most wait for the rest of standard input.
ARGUMENTS = {
    "sbp-interpret": ["-"],
    "sbp-lab": ["mlp", "--solver", "mh", "--evaluations", "1000000000"],
    "sbp-lsp-server": [],
    "sbp-opt": ["-", "-o", "out"],
    "sbpc": ["-", "-o", "out"],
}


def said_by(tool, arguments):
    """Standard error of the tool when a segmentation fault ends it."""
    process = subprocess.Popen([tool, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdin.write("// A model that does not end")
    process.stdin.flush()
    time.sleep(1)  # until it waits or computes
    process.send_signal(signal.SIGSEGV)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGSEGV, process.returncode
    return said


for path in sys.argv[1:]:
    name = path.split("/")[-1]
    said = said_by(path, ARGUMENTS[name])
    assert f"{name} has crashed, which is a bug in {name}" in said, said
    assert "Please report it with the" in said or "Please report it with this" in said, said
    assert "llvm-project" not in said, said
