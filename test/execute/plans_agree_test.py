#!/usr/bin/python3
"""A GPT computes the same under every plan.

It trains for 20 steps of AdamW on 1 rank, and on 4 ranks under each plan. All losses agree
within 1e-5, relative, as f32 sums are taken in another order. Two runs of one plan, as threads
and as processes, agree in every bit of losses and parameters. The extents are such that the
meshes do not divide them, and, for plans on two axes, such that they do.
"""

import sys

import training

TOLERANCE = 1e-5
ON_TWO_AXES = [("data-megatron", "2x2"), ("2.5d", "2x2")]
ALL = [("data-parallel", "4"), ("megatron", "4"), ("zero", "4"), *ON_TWO_AXES]
UNEVEN = ["--layers", "1", "--width", "21", "--heads", "3", "--vocabulary", "257",
          "--batch", "5", "--sequence", "7"]


def main():
    tools = training.parse_tools("text")
    failures = failures_of(tools, training.EXTENTS, ON_TWO_AXES) + failures_of(tools, UNEVEN, ALL)
    sys.exit("\n".join(failures) or None)


def failures_of(tools, extents, plans):
    """Yields what is wrong with the GPT of these extents, one sentence each."""
    print(f"GPT with {' '.join(extents)}")
    folder = training.scratch()
    options = ["--text", tools.text, "--steps", "20", "--lr", "1e-3", "--seed", "7"]
    expected = training.losses_of_one_rank(tools, folder, extents, options)
    return training.disagreements(tools, folder, plans, extents, options, expected,
                                  TOLERANCE)


if __name__ == "__main__":
    main()
