#!/usr/bin/python3
"""The same GPT computes the same under every plan.

20 steps of AdamW on 1 rank, and on 4 ranks under each plan: all losses agree within
1e-5, relative (sums are taken in another order, in f32), and two runs of one plan,
as threads and as processes, agree in every bit of losses and parameters. All this for
extents that the meshes divide, and for some that they do not.
"""

import sys

import training

TOLERANCE = 1e-5
PLANS = [("data-parallel", "4"), ("megatron", "4"), ("data-megatron", "2x2"),
         ("2.5d", "2x2"), ("zero", "4")]


UNEVEN = ["--layers", "1", "--width", "21", "--heads", "3", "--vocabulary", "257",
          "--batch", "5", "--sequence", "7"]


def main():
    tools = training.parse_tools("text")
    failures = failures_of(tools, training.EXTENTS) + failures_of(tools, UNEVEN)
    sys.exit("\n".join(failures) or None)


def failures_of(tools, extents):
    """What is wrong with the GPT of these extents, a sentence each."""
    print(f"GPT with {' '.join(extents)}")
    folder = training.scratch()
    options = ["--text", tools.text, "--steps", "20", "--lr", "1e-3", "--seed", "7"]

    expected = training.Program(tools, folder, "none", "1", extents).train(*options)
    print(f"1 rank: losses from {expected[0]} to {expected[-1]}")
    failures = [] if expected[-1] < expected[0] else ["1 rank: the loss does not fall"]

    for plan, mesh in PLANS:
        program = training.Program(tools, folder, plan, mesh, extents)
        first, second = folder / "first.safetensors", folder / "second.safetensors"
        losses = program.train(*options, "--save", first)
        again = program.train(*options, "--save", second, processes=True)
        difference = training.largest_difference(losses, expected)
        print(f"{plan} on {mesh}: largest relative difference {difference:.2g}")
        if difference > TOLERANCE:
            failures.append(f"{plan}: losses differ by {difference:.2g}: {losses}")
        if again != losses:
            failures.append(f"{plan}: threads gave {losses}, processes {again}")
        if first.read_bytes() != second.read_bytes():
            failures.append(f"{plan}: two runs saved different parameters")
    return failures


if __name__ == "__main__":
    main()
