"""The time to compile a GPT, by its depth.

A layer is compiled once, regardless of the number of its calls, so the time should hardly grow. The
fastest of several runs counts.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main():
    parser = argparse.ArgumentParser(
        prog="bench compile", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, nargs="+", default=[12, 48],
                        help="depths to compare (12 48)")
    parser.add_argument("--runs", type=int, default=3, help="number of runs of each (3)")
    parser.add_argument("--gpt", nargs=argparse.REMAINDER, default=[],
                        help="all that follows goes to models/gpt.py: plan, width, ...")
    options = parser.parse_args()

    first = None
    with tempfile.TemporaryDirectory() as folder:
        for layers in options.layers:
            seconds = measure(layers, options, pathlib.Path(folder))
            first = first or seconds
            print(f"{layers:4} layers {seconds:8.2f} s {seconds / first:6.2f} x",
                  flush=True)


def measure(layers, options, folder):
    """Returns the seconds of sbpc for a GPT of so many layers."""
    model = folder / "gpt.mlir"
    subprocess.run([ROOT / "models/gpt.py", "--layers", str(layers), "-o", model,
                    *options.gpt], check=True)
    seconds = []
    for _ in range(options.runs):
        begin = time.perf_counter()
        subprocess.run([ROOT / "bazel-bin/tools/sbpc", model, "-o", folder / "gpt"],
                       check=True)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


if __name__ == "__main__":
    main()
