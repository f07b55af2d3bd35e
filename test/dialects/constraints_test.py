#!/usr/bin/python3
"""The ops of the dialects have numbered constraints, each with a test of its error:
test/dialects/constraints_test.py, in any folder, without arguments.

- In docs/dialects/*.md each op has constraints, numbered (C1), (C2), ... without gaps.
- A file in the folder of its dialect here names a test of each: `<op>_c<number>`, perhaps
  followed by more words, as a symbol or in a comment.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
DOCS = TESTS.parent.parent / "docs/dialects"


def main():
    errors = [error for page in sorted(DOCS.glob("*.md")) for error in wrong_ops(page)]
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(1 if errors else 0)


def wrong_ops(page):
    dialect = page.stem
    tests = "".join(file.read_text() for file in (TESTS / dialect).glob("*.mlir"))
    sections = re.split(rf"^### `{dialect}\.(\w+)`.*$", page.read_text(), flags=re.M)
    for op, text in zip(sections[1::2], sections[2::2]):
        text = re.split(r"^##+ ", text, flags=re.M)[0]
        numbers = [int(number) for number in re.findall(r"^- \(C(\d+)\) ", text, re.M)]
        if not numbers or numbers != list(range(1, len(numbers) + 1)):
            yield f"{dialect}.{op} has the constraints {numbers}, not 1, 2, ..."
        for number in numbers:
            if not re.search(rf"(@|// ){op}_c{number}(?!\d)", tests):
                yield f"test/dialects/{dialect} has no test {op}_c{number}"


if __name__ == "__main__":
    main()
