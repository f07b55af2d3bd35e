#!/usr/bin/env python3
"""Writes docs/forms.md: write_forms.py SBP_OPT MODEL PAGE. Every text in it that is
IR is what sbp-opt prints for the model."""

import subprocess
import sys

PAGE = """<!-- Written by docs/write_forms.py; renew it with tools/update-docs -->

# One program through all forms

A program goes from form to form, and is text in each of them: `sbp-opt --sbp-to-boxed
docs/example.mlir` stops at the boxed form, and what it prints may be changed by hand
and taken on from there. Below is `docs/example.mlir`; all else is what the compiler
made of it, some functions left out.

## Logical

Whole tensors, and nothing about devices but the pins.

{logical}

## Differentiated

`--sbp-differentiate` adds the entry `@train_step`: forward, backward, the optimiser.
A backward op knows its forward op, `adjoint_of` its `id`. The pin stands in both
directions: the gradient of a pinned value is pinned too.

{differentiated}

## Placed

`--sbp-place` gives every type a placement. The verifier of each op checks that those of
its operands and results are one of the op's legal signatures. The second contraction
leaves partial sums, which the pin wants whole: a `sbp.cast` says so.

Placements have short names, which a text defines at its head:
`#S0_B_cluster = #sbp.nd<@cluster, [S(0), B]>`.

{placed}

## Boxed

`--sbp-insert-boxing` decides which movements serve the casts of a tensor.

{boxed}

## Local

`--sbp-localize` makes the program of one rank: local shapes, and each boxing as the
cheapest path of collectives. Here all ranks run the same. In one step each of them
reduces once going forward, over the two devices of its node, and twice at the end,
over the nodes: the gradients of its parts of the weights.

{local}
"""


def main():
    sbp_opt, model, page = sys.argv[1:]

    def at(form):
        return subprocess.run([sbp_opt, model, f"--sbp-to-{form}"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    with open(model) as file:
        logical = file.read()
    with open(page, "w") as file:
        file.write(PAGE.format(
            logical=block(logical),
            differentiated=block(function(at("differentiated"), "train_step")),
            placed=block(function(at("placed"), "loss")),
            boxed=block(lines(function(at("boxed"), "loss"), "sbp.box")),
            local=block(function(at("local"), "train_step"))))


def block(text):
    """Returns `text` in a code block, at the left margin."""
    rows = text.rstrip("\n").split("\n")
    margin = min(len(row) - len(row.lstrip()) for row in rows if row)
    return "\n".join(["```mlir"] + [row[margin:] for row in rows] + ["```"])


def function(text, name):
    """Returns the function `name` of a module."""
    rows = text.split("\n")
    begin = next(i for i, row in enumerate(rows) if f"func.func @{name}(" in row)
    margin = len(rows[begin]) - len(rows[begin].lstrip())
    end = rows.index(" " * margin + "}", begin)
    return "\n".join(rows[begin:end + 1])


def lines(text, word):
    return "\n".join(row for row in text.split("\n") if word in row)


if __name__ == "__main__":
    main()
