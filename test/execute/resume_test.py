#!/usr/bin/python3
"""A GPT resumes from a checkpoint as if uninterrupted, with Adam, a learning rate schedule
and a shuffled text. It does not resume with another optimiser, or on another text.
"""

import json
import os
import sys

import failing
import training

STEPS = ["--steps", "6", "--schedule", "cosine", "--warmup", "2", "--seed", "7"]


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    os.chdir(folder)
    text, other = folder / "book.txt", folder / "other.txt"
    text.write_text("It was the best of times, it was the worst of times. " * 40)
    other.write_text("Call me Ishmael. " * 100)
    whole, half = folder / "gpt.safetensors", folder / "gpt-000003.safetensors"
    rest = folder / "rest.safetensors"

    gpt = training.Program(tools, folder, "data-parallel", "2")
    losses = gpt.train("--text", text, *STEPS, "--save", whole, "--save-every", "3")
    again = gpt.train("--text", text, "--load", half, "--save", rest, processes=True)
    failures = []
    if again != losses[3:]:
        failures.append(f"the losses go on as {again}, not as {losses[3:]}")
    if rest.read_bytes() != whole.read_bytes():
        failures.append("the run that went on saved other parameters")

    # The metadata for people and other tools.
    about = metadata(half)
    for key, value in {"step": "3", "sample": "24", "steps": "6", "seed": "7",
                       "schedule": "cosine", "warmup": "2"}.items():
        if about.get(key) != value:
            failures.append(f"{half}: \"{key}\" is {about.get(key)}, not {value}")
    if not about["optimizer"].startswith("adamw"):
        failures.append(f"{half}: trained by {about['optimizer']}")

    command = [gpt.path, "--in-process", "--load", half, "--text"]
    failures += failing.complaints("another text", ["other.txt", "--load-anyway data"],
                                   [*command, other], is_line=True)
    gpt.train("--text", other, "--load", half, "--load-anyway", "data")
    training.run(tools.generator, *training.EXTENTS, "--optimizer", "sgd", "-o",
                 folder / "sgd.mlir")
    sgd = training.Program.compiled(tools, folder / "sgd", folder / "sgd.mlir", "-n", "2")
    command[0] = sgd.path
    failures += failing.complaints("another optimizer",
                                   ["adamw", "sgd", "--load-anyway optimizer"],
                                   [*command, text], is_line=True)
    sgd.train("--text", text, "--load", half, "--load-anyway", "optimizer")
    sys.exit("\n".join(failures) or None)


def metadata(path):
    """Returns the metadata of a safetensors file."""
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return header["__metadata__"]


if __name__ == "__main__":
    main()
