#!/usr/bin/python3
"""Indexes have all pages, decisions and folders, and links lead to files:
docs/index_test.py, in any folder, without arguments.

- docs/README.md links to each page under docs/ but the decisions.
- docs/decisions/README.md has a row for each decision, with its number and title; no two
  decisions have one number.
- docs/architecture.md has a row for each first- and second-level folder of the sources:
  one that has a BUILD file, or contains a folder that has one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


def main():
    errors = [*missing_pages(), *wrong_decisions(), *missing_folders(), *dead_links()]
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(1 if errors else 0)


def missing_pages():
    linked = links_of(DOCS / "README.md")
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS)
        if page.name != "README.md" and name.parts[0] != "decisions" \
                and str(name) not in linked:
            yield f"docs/README.md has no link to {name}"


def wrong_decisions():
    rows = (DOCS / "decisions/README.md").read_text()
    numbers = {}
    for page in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        number = int(page.name[:4])
        if other := numbers.get(number):
            yield f"decision {number} is both {other} and {page.name}"
        numbers[number] = page.name
        heading = page.read_text().partition("\n")[0]
        title = re.sub(r"^# 0*(\d+)[.:]? ", "", heading)
        if not re.match(rf"# 0*{number}\b", heading):
            yield f"the heading of {page.name} is '{heading}', without number {number}"
        if f"| {number} | [{title}]({page.name}) | " not in rows:
            yield f"docs/decisions/README.md has no row '| {number} | [{title}]({page.name}) |'"


def missing_folders():
    text = (DOCS / "architecture.md").read_text()
    first_cells = re.findall(r"^\| (`[^|]*) \|", text, re.M)
    named = set(re.findall(r"`([^`]+)`", " ".join(first_cells)))
    for folder in sorted(source_folders() - named):
        yield f"docs/architecture.md has no row for {folder}"
    for folder in sorted(named):
        if not (ROOT / folder).is_dir():
            yield f"docs/architecture.md has a row for {folder}, which is no folder"


def source_folders():
    tops = [top for top in ROOT.iterdir()
            if top.is_dir() and not top.is_symlink() and not top.name.startswith(".")]
    folders = [build.parent.relative_to(ROOT) for top in tops for build in top.rglob("BUILD")]
    return {"/".join(folder.parts[:depth]) for folder in folders for depth in (1, 2)}


def dead_links():
    for page in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")]):
        for link in sorted(links_of(page)):
            if not (page.parent / link).exists():
                yield f"{page.relative_to(ROOT)} links to {link}, which does not exist"


def links_of(page):
    return set(LINK.findall(page.read_text()))


if __name__ == "__main__":
    main()
