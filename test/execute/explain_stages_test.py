#!/usr/bin/python3
"""The report of sbpc explain on a pipeline follows from its report on the tasks.

The schedules have one and two directions, halves of backward passes, and a table by hand, on
groups of several sizes. The test simulates each schedule again: a task starts when its group
is free and its operands have arrived. The tasks must then end when explain reports. The bytes
of transfers are those of the tensors, memory is the sum of its parts, and no time is below
the lower bound. The page has a box per slice, and --trace the tasks of a run of the program,
in the same order. A model that cannot be explained is refused.
"""

import json
import math
import re
import shutil
import subprocess
import sys

import training

GPT = ["--layers", 4, "--width", 32, "--heads", 4, "--vocabulary", 253, "--batch", 8,
       "--sequence", 16, "--tie-head"]
THREE = ["--stages", "1,2,1", "--groups", "2,2,1"]
FOUR = ["--stages", "1,1,1,1", "--groups", "2,1,1,2"]
TABLE = """0F0,0F1,0F2,0F3,0B2,0B0,0B1,0B3
1F0,1F1,1F2,1F3,1B2,1B0,1B1,1B3
2F1,2F0,2F2,2B2,2B0,2B1,2F3,2B3
"""
# The report does not have the position of small ops relative to waits before a stage's
# function, and to sends after it.
TOLERANCE = 0.02


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def rows_of(tools, model, options):
    """Returns the tasks of each group, in their order: (task, micro-batch)."""
    text = training.run(tools.sbpc, model, *options, "--emit", "differentiated")
    rows = dict(re.findall(r'@(\w+) "([^"]*)"', text))
    return {group: [(cell[:2], int(cell[2:])) for cell in row.split(",")]
            for group, row in rows.items()}


def before(what, last):
    """Returns the tasks for which a task waits, on any group."""
    stage, kind = int(what[0]), what[1]
    if kind == "F":
        return [f"{stage - 1}F"] if stage else []
    if kind == "W":
        return []
    return [f"{stage}F"] + ([f"{stage + 1}{kind}"] if stage < last else [])


def ends_of(run, rows):
    """Returns the end of each task, from its cost and that of transfers."""
    cost = {(t["task"], t["group"]): (t["computing"] + t["communicating"]) / t["runs"]
            for t in run["tasks"]}
    after = {(t["task"], t["group"]): t["after"] / t["runs"] for t in run["tasks"]}
    delay = {}
    for crossing in run["crossings"]:
        if "task" in crossing:
            key = crossing["task"], crossing["to"].split()[0][1:]
            delay[key] = delay.get(key, 0) + crossing["seconds"] / crossing["number"]
    first = {group: max((s["end"] for s in run["slices"]
                         if s["group"] == group and s["what"] == "before"), default=0)
             for group in rows}
    last = max(int(what[0]) for row in rows.values() for what, _ in row)
    group_of = {task: group for group, row in rows.items() for task in row}
    ends, next_, clocks = {}, {group: 0 for group in rows}, dict(first)
    while any(next_[group] < len(row) for group, row in rows.items()):
        for group, row in rows.items():
            while next_[group] < len(row):
                what, part = task = row[next_[group]]
                needs = [(other, part) for other in before(what, last)]
                if not all(need in ends for need in needs):
                    break
                start = clocks[group]
                for need in needs:
                    maker = group_of[need]
                    if maker != group:
                        sent = ends[need] - after.get((need[0], maker), 0)
                        start = max(start, sent + delay.get((what, group), 0))
                clocks[group] = ends[task] = start + cost.get((what, group), 0)
                next_[group] += 1
    return ends


def failures_of_times(name, run, rows):
    """Yields slices that differ from the schedule, or end at another time."""
    ends = ends_of(run, rows)
    for group, row in rows.items():
        slices = [s for s in run["slices"] if s["group"] == group]
        tasks = [s for s in slices if "micro_batch" in s]
        there = {s["what"] for s in tasks}
        expected = [task for task in row if task[0] in there]
        if [(s["what"], s["micro_batch"]) for s in tasks] != expected:
            yield f"{name}: @{group} runs {tasks}, not {expected}"
        for one, other in zip(slices, slices[1:]):
            if other["start"] < one["end"] - 1e-12:
                yield f"{name}: {one} and {other} overlap"
        for s in tasks:
            wrong = abs(s["end"] - ends[s["what"], s["micro_batch"]])
            if wrong > TOLERANCE * run["seconds"]:
                yield (f"{name}: @{group} {s} ends, but it should at "
                       f"{ends[s['what'], s['micro_batch']]}")


def failures_of_sums(name, report, run, micro_batches):
    """Yields totals that are not the sum of their parts."""
    if not is_close(run["seconds"], max(s["end"] for s in run["slices"])):
        yield f"{name}: {run['seconds']} s, but other is the last to end"
    if run["lower_bound"] > run["seconds"] * (1 + 1e-9):
        yield f"{name}: {run['seconds']} s are less than the bound, {run['lower_bound']}"
    for group in run["groups"]:
        if not is_close(group["bubble"], 1 - group["busy"] / run["seconds"]):
            yield f"{name}: @{group['group']} has a bubble of {group['bubble']}"
        work = sum(t["computing"] + t["communicating"] for t in run["tasks"]
                   if t["group"] == group["group"])
        if not work <= group["busy"] <= run["seconds"] * (1 + 1e-9):
            yield f"{name}: @{group['group']} is busy for {group['busy']}, of tasks {work}"
    for stage in range(sum(len(group["stages"]) for group in report["groups"])):
        number = sum(t["runs"] for t in run["tasks"] if t["task"] == f"{stage}F")
        if number != micro_batches:
            yield f"{name}: {stage}F runs {number} times"
    for memory in report["memory"]:
        if not is_close(memory["bytes"], sum(memory[part] for part in report["memory_parts"])):
            yield f"{name}: not the sum of its parts: {memory}"
    if {m["rank"] for m in report["memory"] if m["entry"] == run["entry"]} < {
            group["ranks"][0] for group in report["groups"]}:
        yield f"{name}: a group is missing in {report['memory']}"


def failures_of_bytes(name, report, run):
    """Yields transfers whose bytes are not those of all parts of the tensor."""
    size_of = {group["group"]: len(group["ranks"]) for group in report["groups"]}
    for group in run["groups"]:
        sent = sum(c["bytes"] for c in run["crossings"]
                   if c["from"].split()[0] == "@" + group["group"])
        if group["sent"] != sent:
            yield f"{name}: @{group['group']} sends {group['sent']} bytes, not {sent}"
    for crossing in run["crossings"]:
        *extents, type_ = crossing["type"].split("x")
        size = math.prod(map(int, extents)) * {"f32": 4, "i32": 4, "i1": 1}[type_]
        group, placement = crossing["to"][1:].split(" ", 1)
        copies = size_of[group] if placement == "[B]" else 1
        if crossing["bytes"] != size * copies * crossing["number"]:
            yield f"{name}: {crossing['bytes']} bytes, not {copies} copies of {size}"


def tasks_of_trace(file):
    """Returns the names of each rank's tasks, without sums of gradients (2G): explain has
    them at the end, a rank runs them when the gradients are complete."""
    tasks = {}
    for event in json.loads(file.read_text())["traceEvents"]:
        name = event["name"]
        if event["ph"] == "X" and event["cat"] == "task" and re.match(r"\d[FBIWR] \d", name):
            tasks.setdefault(event["pid"], []).append(name)
    return tasks


def failures_of_trace(tools, name, folder, model, options):
    """Yields the difference between the predicted tasks and those of a run."""
    predicted, happened = folder / "predicted.json", folder / "happened.json"
    training.run(tools.sbpc, "explain", model, *options, "--trace", predicted)
    program = training.Program.compiled(tools, folder / "program", model, *options)
    program.train("--text", tools.text, "--steps", 1, "--trace", happened)
    expected = tasks_of_trace(happened)
    if not expected or tasks_of_trace(predicted) != expected:
        yield f"{name}: predicted {tasks_of_trace(predicted)}, but {expected} happened"


def failures_of_page(tools, name, folder, model, options, report):
    node = shutil.which("node")
    if not node:
        print("there is no node to draw the page")
        return
    page = folder / "page.html"
    training.run(tools.sbpc, "explain", model, *options, "--html", page)
    titles = training.run(node, tools.page_text, page, "--titles").splitlines()
    main = [run for run in report["runs"] if run["entry"] == report["main_entry"]]
    runs = main + [run for run in report["runs"] if run not in main]
    slices = [s for run in runs for s in run["slices"]]
    if len(titles) != len(slices):
        yield f"{name}: {len(titles)} boxes for {len(slices)} slices"
    for title, one in zip(titles, slices):
        words = {"F": "forward", "B": "backward", "I": "backward of inputs",
                 "W": "backward of weights"}
        what = one["what"]
        if re.match(r"\d", what):
            what = f"{words[what[1]]} of stage {what[0]}"
        if "micro_batch" in one:
            what += f", micro-batch {one['micro_batch']}"
        if not title.startswith(what + ": from "):
            yield f"{name}: a box says {title!r}, not {what!r}"


def failures_of(tools, folder, name, cut, parts, schedule):
    model = folder / f"{name}.mlir"
    training.run(tools.generator, *GPT, *cut, "-o", model)
    options = ["--micro-batches", parts, "--schedule", schedule]
    report = json.loads(training.run(tools.sbpc, "explain", model, *options, "--json"))
    run = next(run for run in report["runs"] if run["entry"] == report["main_entry"])
    print(f"{name}: {run['seconds']:.6f} s, no less than {run['lower_bound']:.6f} s")
    yield from failures_of_times(name, run, rows_of(tools, model, options))
    yield from failures_of_sums(name, report, run, parts)
    yield from failures_of_bytes(name, report, run)
    yield from failures_of_trace(tools, name, folder, model, options)
    yield from failures_of_page(tools, name, folder, model, options, report)


def failures_of_memory(tools, folder):
    """Yields cases where explain and sbpc have different plans: with older versions of
    weights, and with a limit that the first plan found exceeds."""
    model = folder / "1f1b.mlir"
    for options in (["--schedule", "pipedream"],
                    ["--micro-batches", 4, "--schedule", "gpipe"],
                    ["--micro-batches", 4, "--schedule", "gpipe", "--memory", "780kB"],
                    ["--micro-batches", 4, "--schedule", "gpipe", "--memory", "90kB"]):
        explained, planned = (
            subprocess.run([str(word) for word in command], capture_output=True,
                           text=True, check=False)
            for command in ([tools.sbpc, "explain", model, *options, "--json"],
                            [tools.sbpc, model, *options, "--emit", "plan"]))
        if explained.returncode != planned.returncode:
            yield f"{options}: {explained.stderr}, but sbpc: {planned.stderr}"
        if explained.returncode or planned.returncode:
            continue
        plan = json.loads(planned.stdout)
        names = [entry["name"] for entry in plan["entries"]]
        arenas = {(program["ranks"][0], name): entry["arenaBytes"]
                  for program in plan["programs"]
                  for name, entry in zip(names, program["entries"])}
        said = {(use["rank"], use["entry"]): use["bytes"]
                for use in json.loads(explained.stdout)["memory"]}
        print(f"{options}: {max(said.values())} bytes")
        if said != arenas:
            yield f"{options}: explain says {said}, the plan {arenas}"


def failures_of_refusals(tools, folder):
    plain, stages = folder / "plain.mlir", folder / "1f1b.mlir"
    training.run(tools.generator, *GPT, "-o", plain)
    for model, options, expected in (
            (plain, ["--trace", folder / "t.json"], "the model has no stages"),
            (stages, ["--front"], "of which each has a plan of its own"),
            (stages, ["--dump-problem", folder / "p"], "of which each has a plan of its own")):
        result = subprocess.run([tools.sbpc, "explain", model, *options],
                                capture_output=True, text=True, check=False)
        if result.returncode != 1 or expected not in result.stderr:
            yield f"{options}: exit status {result.returncode}, {result.stderr}"


def main():
    tools = training.parse_tools("text", "page-text")
    folder = training.scratch()
    table = folder / "table.csv"
    table.write_text(TABLE)
    failures = []
    for name, cut, parts, schedule in (
            ("1f1b", THREE, 4, "1f1b"), ("zb-h1", THREE, 4, "zb-h1"),
            ("by hand", THREE, 4, table), ("chimera", FOUR, 4, "chimera")):
        failures += failures_of(tools, folder, name, cut, parts, schedule)
    failures += failures_of_memory(tools, folder)
    failures += failures_of_refusals(tools, folder)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
