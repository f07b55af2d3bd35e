#!/usr/bin/python3
"""The file of --trace has each task of the schedule once, in order, on each rank.

A GPT in stages of 1, 3 and 2 layers, on groups of 2, 2 and 1 ranks, runs by a schedule by hand, as
threads and as processes. On every rank each step has the tasks in the group's row of the schedule.
Slices in a row of the trace are nested or disjoint. No stage begins its forward pass before the
previous stage has ended it, nor its backward pass before the next stage. For a long run the last
steps are kept, the same on all ranks. A program without stages has slices of its micro-batches, and
an evaluation those of its batches. A kernel has the place of its op in the model.
"""

import json
import re
import subprocess
import sys

import training

GPT = ["--layers", 6, "--width", 32, "--heads", 4, "--vocabulary", 253, "--batch", 10,
       "--sequence", 16, "--tie-head"]
CUT = ["--stages", "1,3,2", "--groups", "2,2,1"]
GROUP_OF_RANK = [0, 0, 1, 1, 2]
ROWS = ["0F0,0F1,0F2,0F3,0B2,0F4,0B0,0B1,0B3,0B4",
        "1F0,1F1,1F2,1F3,1B2,1B0,1F4,1B1,1B3,1B4",
        "2F1,2F0,2F2,2B2,2B0,2B1,2F3,2B3,2F4,2B4"]
MOST_EVENTS = 100000
CLOCKS = 20.0  # greatest difference of the clocks of two processes, microseconds
ROUNDED = 0.002  # rounding of times, microseconds


def compiled(tools, folder, name, cut, *options):
    model = folder / f"{name}.mlir"
    training.run(tools.generator, *GPT, *cut, "-o", model)
    program = training.Program.compiled(tools, folder / name, model, *options)
    program.ranks = 5 if cut else 1
    return program


def read(file):
    """Returns the events of a trace."""
    return json.loads(file.read_text())["traceEvents"]


def slices(events, rank, category=None):
    """Returns the slices of a rank, in the order of the file."""
    return [event for event in events
            if event["ph"] == "X" and event["pid"] == rank
            and category in (None, event["cat"])]


def end(slice_):
    return slice_["ts"] + slice_["dur"]


def tasks_by_step(events, rank):
    """Returns (step, its tasks of the schedule) for all steps, whose slices contain those
    of the tasks."""
    tasks = [task for task in slices(events, rank, "task") if re.match(r"\d+\w \d", task["name"])]
    for step in slices(events, rank, "step"):
        yield step, [task for task in tasks if step["ts"] <= task["ts"] + ROUNDED
                     and end(task) <= end(step) + ROUNDED]


def failures_of_order(events, steps):
    """Yields ranks whose tasks differ from their row of the schedule."""
    for rank, group in enumerate(GROUP_OF_RANK):
        found = list(tasks_by_step(events, rank))
        numbers = [step["name"] for step, _ in found]
        if numbers != [f"step {number}" for number in steps]:
            yield f"rank {rank} has {numbers}, not steps {steps}"
        for step, tasks in found:
            names = ",".join(task["name"].replace(" ", "") for task in tasks)
            if names != ROWS[group]:
                yield f"rank {rank}, {step['name']}: {names}, but its row is {ROWS[group]}"
            for task in tasks:
                if task["args"]["micro_batch"] != int(task["name"].split()[1]):
                    yield f"rank {rank}: of another micro-batch: {task}"


def failures_of_rows(events):
    """Yields pairs of slices in a row that overlap partially."""
    for rank in range(len(GROUP_OF_RANK)):
        for row in 0, 1:
            open_ = []
            for one in sorted((event for event in slices(events, rank) if event["tid"] == row),
                              key=lambda event: (event["ts"], -event["dur"])):
                while open_ and end(open_[-1]) <= one["ts"] + ROUNDED:
                    open_.pop()
                if open_ and end(one) > end(open_[-1]) + ROUNDED:
                    yield f"rank {rank}: {open_[-1]} overlaps {one}"
                open_.append(one)


def failures_of_clocks(events):
    """Yields tasks that end before a task for which they wait begins."""
    found = [[{task["name"]: task for task in tasks}
              for _, tasks in tasks_by_step(events, rank)] for rank in (0, 2, 4)]
    for of_step in zip(*found):
        for part in range(5):
            chain = [of_step[stage][f"{stage}{kind} {part}"]
                     for stages, kind in (((0, 1, 2), "F"), ((2, 1, 0), "B"))
                     for stage in stages]
            if any(end(later) < earlier["ts"] - CLOCKS
                   for earlier, later in zip(chain, chain[1:])):
                yield f"micro-batch {part} goes through the stages so: {chain}"


def failures_of_pipeline(program, folder, options):
    file = folder / "trace.json"
    for processes in False, True:
        program.train(*options, "--steps", "3", "--trace", file, processes=processes)
        events = read(file)
        titles = [event["args"]["name"] for event in events
                  if event["name"] == "process_name"]
        expected = [f"rank {rank}, @group{group}" for rank, group in enumerate(GROUP_OF_RANK)]
        if titles != expected:
            yield f"ranks are called {titles}, not {expected}"
        yield from failures_of_order(events, [1, 2, 3])
        yield from failures_of_rows(events)
        yield from failures_of_clocks(events)


def failures_of_long_runs(program, folder, options):
    """Yields traces of long runs with other than the last steps."""
    file = folder / "long.json"
    program.train(*options, "--steps", "3", "--trace", file)
    events = read(file)
    per_step = max(len(slices(events, rank)) // 3 for rank in range(5))
    steps = MOST_EVENTS // per_step + 20
    program.train(*options, "--steps", steps, "--trace", file)
    events = read(file)
    kept = len(slices(events, 0, "step"))
    print(f"{kept} of {steps} steps kept, at {per_step} events")
    # Slices without computation are counted, but not in the file.
    if not 0.7 * MOST_EVENTS <= kept * per_step <= MOST_EVENTS:
        yield f"{kept} steps of {per_step} events are kept"
    yield from failures_of_order(events, list(range(steps - kept + 1, steps + 1)))


def failures_of_one_rank(program, folder, options):
    file = folder / "one.json"
    program.train(*options, "--steps", "2", "--trace", file)
    events = read(file)
    model = folder / "one.mlir"
    # The other layer with GELU is that of sampling.
    number, line = next(each for each in enumerate(model.read_text().splitlines(), 1)
                        if "nn.gelu" in each[1])
    expected = {f"{model}:{number}:{line.index('nn.gelu') + 1}"}
    places = {event.get("args", {}).get("place") for event in slices(events, 0, "kernel")
              if event["name"].startswith("gelu_grad")}
    if places != expected:
        yield f"gradients of GELU come from {places}, not {expected}"
    names = [task["name"] for task in slices(events, 0, "task")]
    expected = [*(f"micro-batch {part}" for part in range(5)), "update"] * 2
    if names != expected:
        yield f"one rank: {names}, not {expected}"
    training.run(program.path, "--text", options[1], "--entry", "loss", "--steps", "3",
                 "--trace", file)
    steps = [step["name"] for step in slices(read(file), 0, "step")]
    if steps != ["step 1", "step 2", "step 3"]:
        yield f"evaluated in {steps}"


def failures_of_refusals(program, folder, options):
    """Yields files that cannot be written and are not reported at the start."""
    for more, expected in ((["--trace", folder / "no" / "t.json"], "cannot write"),
                           (["--trace", folder / "t", "--save", folder / "t"],
                            "--save and --trace both write")):
        result = subprocess.run([program.path, "--in-process", *options, *more],
                                capture_output=True, text=True, check=False)
        if result.returncode != 1 or result.stdout or expected not in result.stderr:
            yield f"{more}: exit status {result.returncode}, {result.stderr}"


def main():
    tools = training.parse_tools("text")
    folder = training.scratch()
    table = folder / "table.csv"
    table.write_text("\n".join(ROWS) + "\n")
    options = ["--text", tools.text, "--lr", "0.01"]
    stages = compiled(tools, folder, "stages", CUT, "--micro-batches", 5, "--schedule", table)
    one = compiled(tools, folder, "one", [], "-n", "1", "--micro-batches", 5)
    failures = [*failures_of_pipeline(stages, folder, options),
                *failures_of_long_runs(stages, folder, options),
                *failures_of_one_rank(one, folder, options),
                *failures_of_refusals(stages, folder, options)]
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
