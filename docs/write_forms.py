#!/usr/bin/env python3
"""Writes docs/forms.md: write_forms.py SBP_OPT MODEL PAGE. Every text in it that is
IR is what sbp-opt prints for the model."""

import subprocess
import sys

PAGE = """<!-- Written by docs/write_forms.py; renew it with tools/update-docs -->

# One program through all forms

For everybody who reads or edits what `sbpc --emit` and `sbp-opt` print. This page follows one small
network through the five forms of the compiler.

```
logical -> differentiated -> placed -> boxed -> local
```

Each form is text: `sbp-opt --sbp-to-boxed docs/example.mlir` stops at the boxed form. You may edit what
it prints, and compile that. The first listing is `docs/example.mlir`; the compiler made all others,
of which some functions are left out here.

![The network as written, placed on four devices, and as rank 0 runs it](images/forms.svg)

## Logical

The model on whole tensors. Only pins speak of devices: `[S(0), B]` is split along dimension 0 over
the nodes, and whole on both devices of a node.

{logical}

## Differentiated

`--sbp-differentiate` adds the entry `@train_step`: the forward pass, the backward pass and the
optimiser's step. A backward op names its forward op: `adjoint_of` is the `id` of that op. A pin holds
in both directions, so the gradient of a pinned value is pinned too.

{differentiated}

## Placed

`--sbp-place` adds a placement to the type of every tensor. The verifier of each op checks that the
placements of its operands and results are a legal signature of the op. The second contraction leaves
partial sums, `P(sum)`, but the pin wants the sum itself: a `sbp.cast` stands between them.

A text defines short names of placements at its head: `#S0_B_cluster = #sbp.nd<@cluster, [S(0), B]>`.

{placed}

## Boxed

`--sbp-insert-boxing` turns casts into movements of data, `sbp.box`. It decides which movement serves
which uses of a tensor.

{boxed}

## Local

`--sbp-localize` makes the program of one rank: tensors have the shapes of its parts, and each box is
the cheapest path of collectives. In this example all ranks run the same program. `rank.whole` keeps
the whole type of an input.

- Going forward, a rank reduces once: the terms of `%result`, over the two devices of its node.
- At the end it reduces twice over the nodes, the gradients of its parts of the two weights. It
  keeps and updates one half of each, and gathers the new weights.

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
