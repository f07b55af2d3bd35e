"""Elimination and toulbar2 on the problems of placing real programs.

`sbpc explain --dump-problem` writes a problem to a file, which both read. Times are those of solving
and proving, without reading, in turns.
"""

import json
import math
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Name, generator and its options, options of sbpc explain.
PROGRAMS = [
    ("GPT, 12 layers, 8 ranks", ["gpt.py", "--layers", "12"], ["-n", "8"]),
    ("GPT, 12 free layers, 8 ranks", ["gpt.py", "--layers", "12"],
     ["-n", "8", "--layers", "free"]),
    ("GPT, 12 layers, 2 x 8", ["gpt.py", "--layers", "12"],
     ["--machine", "machines/dgx_a100_x2.mlir"]),
    ("residual net, 8 ranks", ["cnn.py"], ["-n", "8"]),
    ("VGG, 2 x 8", ["vgg.py"], ["--machine", "machines/dgx_a100_x2.mlir"]),
]


def compare(python, seconds, repeat):
    """Prints one line per program. `seconds` limits the time of toulbar2 for each."""
    print(f"{'':30}{'variables':>10}{'elimination':>14}{'toulbar2':>14}")
    for name, generator, options in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            problem = dump(pathlib.Path(folder), generator, options)
            ours, theirs = [], []
            for _ in range(repeat):
                ours.append(answer("bazel-bin/tools/sbp-lab", "--json", "cfn", problem))
                theirs.append(answer(python, "tools/benchmarks/toulbar2_solve.py",
                                     problem, str(seconds)))
        check_agreement(name, ours[0]["cost"], theirs[0]["cost"])
        print(f"{name:30}{ours[0]['variables']:10}"
              f"{milliseconds(each['search_seconds'] for each in ours):>14}"
              + (f"{milliseconds(each['seconds'] for each in theirs):>14}"
                 if theirs[0]["cost"] is not None else f"{'> ' + str(seconds) + ' s':>14}"),
              flush=True)


def dump(folder, generator, options):
    model, problem = folder / "model.mlir", folder / "model.cfn"
    run("models/" + generator[0], *generator[1:], "-o", model)
    run("bazel-bin/tools/sbpc", "explain", model, *options, "--dump-problem", problem)
    return problem


def check_agreement(name, ours, theirs):
    if theirs is not None and not math.isclose(ours, theirs, rel_tol=1e-6):
        raise SystemExit(f"search: {name}: elimination finds {ours}, toulbar2 {theirs}")


def milliseconds(seconds):
    return f"{1e3 * statistics.median(seconds):.2f} ms"


def run(*command):
    return subprocess.run(list(map(str, command)), cwd=ROOT, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def answer(*command):
    """Returns the JSON object on the last line, as toulbar2 may print other lines before
    it."""
    text = run(*command)
    return json.loads(text[text.index("{"):])
