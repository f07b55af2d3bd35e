#!/usr/bin/python3
"""Doc comments begin with a verb or a noun: test/source/comments_begin_plainly.py, in any folder.

A doc comment (///) says first what it is about: "Returns ...", "Number of ...". None may
begin with a word that makes the reader look for the noun, such as "Of". Prints those that
do, by folder.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORDS = {"Of", "Those", "That", "So", "By", "What", "Who", "Where", "Why", "How", "Such", "Which"}
COMMENT = re.compile(r"^\s*///<?(?:\s+(.*))?$")


def main():
    number = 0
    found = collections.defaultdict(list)
    files = subprocess.check_output(["git", "-C", ROOT, "ls-files", "*.h", "*.cpp"], text=True)
    for file in files.split():
        if not (ROOT / file).exists():
            continue
        for line, first in comments(ROOT / file):
            number += 1
            word = re.match(r"\W*(\w+)", first)
            if word and word[1] in WORDS:
                found[str(pathlib.Path(file).parent)].append(f"{file}:{line}: {first}")
    for folder in sorted(found):
        print(f"{folder}: {len(found[folder])}", *found[folder], sep="\n  ")
    count = sum(map(len, found.values()))
    print(f"{count} of {number} doc comments begin so; none may")
    sys.exit(1 if count > 0 else 0)


def comments(path):
    """Yields the line and the text with which each doc comment begins."""
    is_inside = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = COMMENT.match(line)
        if match and not is_inside:
            yield number, match[1] or ""
        is_inside = match is not None


if __name__ == "__main__":
    main()
