#!/usr/bin/python3
"""Folders include each other one way: test/source/folders_include_one_way.py, in any folder.

A folder of the sources may include files of folders below it only, so that none can reach
itself over any number of includes. Prints each include that closes a circle, and a shortest
way back. Tests and folders called testing may include anything.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = re.compile(r'^#include "([^"]+/[^"]+)"', re.MULTILINE)


def main():
    includes = includes_of_folders()
    circles = [(a, b) for a in includes for b in includes[a] if way(includes, b, a)]
    for a, b in circles:
        file, included = includes[a][b]
        back = " -> ".join([a, *way(includes, b, a)])
        print(f"{file} includes {included}, but {a} is below {b}: {back}")
    print(f"{len(includes)} folders, {len(circles)} includes against the order")
    sys.exit(1 if circles else 0)


def includes_of_folders():
    """Returns, by folder and folder that it includes, an example: the file and what it names."""
    includes = collections.defaultdict(dict)
    files = subprocess.check_output(["git", "-C", ROOT, "ls-files", "*.h", "*.cpp"], text=True)
    for file in files.split():
        if is_test(file) or not (ROOT / file).exists():
            continue
        for included in INCLUDE.findall((ROOT / file).read_text()):
            a, b = os.path.dirname(file), os.path.dirname(included)
            if a != b and (ROOT / included).exists() and not is_test(included):
                includes[a].setdefault(b, (file, included))
    return includes


def is_test(file):
    return (
        file.startswith("test/")
        or "/testing/" in file
        or re.search(r"_(test|benchmark)\.\w+$", file) is not None
    )


def way(includes, start, end):
    """Returns the folders on a shortest way from `start` to `end`, both included, or None."""
    before = {start: None}
    queue = collections.deque([start])
    while queue:
        at = queue.popleft()
        if at == end:
            folders = [at]
            while before[folders[0]] is not None:
                folders.insert(0, before[folders[0]])
            return folders
        for next_one in includes.get(at, {}):
            if next_one not in before:
                before[next_one] = at
                queue.append(next_one)
    return None


if __name__ == "__main__":
    main()
