#!/usr/bin/python3
"""The code on docs/adding-an-op.md is that of the example plug-ins: excerpts_test.py PAGE SOURCE...

Each block of C++, TableGen or CMake occurs in one of the sources, but for indentation. A line "..."
stands for any lines of the source.
"""

import pathlib
import re
import sys


def stripped(text):
    return [line.strip() for line in text.splitlines()]


def occurs(block, lines):
    """Whether the pieces of `block`, between lines "...", occur in `lines` in this order."""
    begin = 0
    for piece in "\n".join(stripped(block)).split("\n...\n"):
        wanted = piece.strip("\n").split("\n")
        found = [at for at in range(begin, len(lines) - len(wanted) + 1)
                 if lines[at:at + len(wanted)] == wanted]
        if not found:
            return False
        begin = found[0] + len(wanted)
    return True


def main():
    page, *sources = map(pathlib.Path, sys.argv[1:])
    blocks = re.findall(r"^```(?:cpp|tablegen|cmake)\n(.*?)^```$", page.read_text(), re.M | re.S)
    if not blocks:
        sys.exit(f"{page} has no code")
    texts = [stripped(source.read_text()) for source in sources]
    wrong = [block for block in blocks if not any(occurs(block, lines) for lines in texts)]
    print(f"{len(blocks)} excerpts, {len(wrong)} of which are in no source")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
