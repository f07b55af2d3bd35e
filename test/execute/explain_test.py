#!/usr/bin/python3
"""The report of sbpc explain agrees with the search, and its parts add up to the whole.

This is tested for searched plans of a GPT on machines with one and with two levels, and for
a plan by hand. If a model cannot be explained, the error has the reason.
"""

import json
import math
import re
import subprocess
import sys

import training

MACHINES = {
    "one level": """sbp.machine @machine [
        #sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]""",
    "two levels": """sbp.machine @machine [
        #sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
        #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]""",
}
DEVICE = """ device #sbp.device<memory = 4.0e9, bandwidth = 1.0e11,
                                rates = [#sbp.rate<f32, 1.0e12>]>"""


# With few tokens, searches with a limit of memory end soon.
GPT = [*training.EXTENTS, "--vocabulary", "33"]


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def sent_bytes(report, entry):
    """Returns the bytes that a device sends in `entry` per level, from the collectives:
    one part to each other member of the group, over the outermost level in which the two
    differ."""
    levels = {axis["name"]: level for level in entry["levels"]
              for axis in report["mesh"] if axis["name"] in level["axes"]}
    sent = {level["level"]: 0.0 for level in entry["levels"]}
    for function in entry["functions"]:
        for step in (s for move in function["movements"] for s in move["steps"]):
            if step["seconds"] == 0:
                continue
            sizes = {}
            for axis in report["mesh"]:
                if axis["name"] in step["axes"]:
                    level = levels[axis["name"]]["level"]
                    sizes[level] = sizes.get(level, 1) * axis["size"]
            part = step["part_bytes"] / math.prod(sizes.values()) * step["number"]
            within = 1
            for level, size in sorted(sizes.items(), reverse=True):
                passes = 2 if step["step"] == "all_reduce" else 1
                sent[level] += passes * (size - 1) * within * part
                within *= size
    return sent


def failures_of_parts(report):
    """Yields totals of a report that are not the sum of their parts."""
    for entry in report["entries"]:
        levels = sum(level["seconds"] for level in entry["levels"])
        if not is_close(levels, entry["communicating"]):
            yield f"@{entry['entry']}: {levels} over all levels"
        sent = sent_bytes(report, entry)
        for level in entry["levels"]:
            if not is_close(level["bytes"], sent[level["level"]]):
                yield f"{level}: the collectives send {sent[level['level']]} bytes"
        if entry.get("memory"):
            parts = sum(entry["memory"][key] for key in report["memory_parts"])
            if entry["memory"].keys() != {"bytes", *report["memory_parts"]}:
                yield f"@{entry['entry']}: memory has {list(entry['memory'])}"
            if not is_close(parts, entry["memory"]["bytes"]):
                yield f"@{entry['entry']}: parts of memory are {parts} bytes"
        seconds = sent = 0.0
        for function in entry["functions"]:
            ops = sum(op["seconds"] for op in function["ops"])
            moves = sum(move["seconds"] for move in function["movements"])
            own = sum(op["communicating"] for op in function["ops"])
            if not is_close(ops, function["computing"]):
                yield f"@{function['function']}: ops take {ops}"
            if not is_close(moves + own, function["communicating"]):
                yield f"@{function['function']}: movements take {moves}, ops {own}"
            for move in function["movements"]:
                steps = sum(step["seconds"] for step in move["steps"])
                if not is_close(steps, move["seconds"]):
                    yield f"a move of {move['type']}: steps take {steps}"
                if any(step["number"] != function["times"] for step in move["steps"]):
                    yield f"a move in {function['times']} calls: {move['steps']}"
            for op in function["ops"]:
                steps = sum(step["seconds"] for step in op["steps"])
                if not is_close(steps, op["communicating"]):
                    yield f"{op['op']} communicates, but its steps take {steps}"
            sent += sum(step["bytes"] for part in function["movements"] + function["ops"]
                        for step in part["steps"])
            seconds += ops + moves + own
        if not is_close(sent, sum(level["bytes"] for level in entry["levels"])):
            yield f"@{entry['entry']}: all steps send {sent} bytes"
        if not is_close(seconds, entry["seconds"]):
            yield f"@{entry['entry']}: {seconds} in parts, {entry['seconds']} in all"


def failures_of_pins(pins):
    for pin in pins:
        more = {choice["placement"]: choice["more_seconds"] for choice in pin["choices"]}
        if more[pin["planned"]] != 0 or min(more.values()) < 0:
            yield f"the plan is not the best for {pin}"


def failures_of_alternatives(report, train):
    """Yields alternatives to the best plan of @train_step that are better, or wrong."""
    best = train["counted"] * (1 - 1e-9)
    alternatives = report["alternatives"]
    names = [strategy["strategy"] for strategy in alternatives["strategies"]]
    if len(names) != 6:
        yield f"strategies: {names}"
    for strategy in alternatives["strategies"]:
        if strategy["seconds"] < best:
            yield f"{strategy} is better than the best"
    data_parallel = alternatives["strategies"][0]["seconds"]
    # The plan of propagation, with the buckets that it fills.
    propagated = report["propagated"]["seconds"]
    if not data_parallel * (1 - 1e-9) <= propagated <= 1.5 * data_parallel:
        yield f"data parallelism takes {data_parallel}, propagation {propagated}"
    yield from failures_of_pins(alternatives["pins"])
    if not alternatives["pins_exact"]:
        yield "the prices of pins are bounds"
    front = alternatives["front"]
    # On one level the plan with the least memory may be the fastest.
    if len(front) < len(report["mesh"]):
        yield f"a front of {len(front)} plans"
    for one, next_one in zip(front, front[1:]):
        if not (next_one["memory"] < one["memory"] and next_one["seconds"] >= one["seconds"]
                and next_one["lower_bound"] <= next_one["seconds"] * (1 + 1e-9)):
            yield f"{next_one} is no trade-off after {one}"


def failures_of_autoddl(tools, model, machine, report):
    """Yields differences between a search in AutoDDL's space and the comparison with
    it."""
    named = next(s["seconds"] for s in report["alternatives"]["strategies"]
                 if s["strategy"] == "AutoDDL's space")
    restricted = json.loads(training.run(tools.sbpc, "explain", model, "--machine",
                                         machine, "--space", "autoddl", "--json"))
    train = next(e for e in restricted["entries"] if e["entry"] == "train_step")
    if not is_close(train["counted"], named) or not is_close(train["lower_bound"], named):
        yield f"AutoDDL's space: {train['counted']} searched, {named} in comparison"
    for failure in failures_of_pins(restricted["alternatives"]["pins"]):
        yield f"in AutoDDL's space {failure}"
    for function in train["functions"]:
        for op in function["ops"]:
            if op["op"] in ("nn.layer_norm", "nn.gelu") and "S" not in op["placement"]:
                yield f"in AutoDDL's space every device computes all of {op}"


def failures_of_pin(tools, folder, model, report, train):
    """Yields a difference between the reported price of a pin and the cost of a plan with
    it."""
    tokens = next(p for p in report["alternatives"]["pins"] if p["tensor"] == "tokens")
    choice = tokens["choices"][-1]
    pinned = folder / "pinned.mlir"
    machine = (folder / "machine.mlir").read_text()
    name = 'nn.input = "tokens"'
    pinned.write_text(machine + "\n" + model.read_text().replace(
        name, f"{name}, sbp.pin = #sbp.nd<@machine, {choice['placement']}>"))
    seconds = next(e["counted"] for e in json.loads(training.run(
        tools.sbpc, "explain", pinned, "--json"))["entries"] if e["entry"] == "train_step")
    if not math.isclose(seconds, train["counted"] + choice["more_seconds"], rel_tol=1e-7):
        yield f"tokens at {choice} take {seconds}, and {train['counted']} without"


def failures_of_limited_pins(tools, folder, model, report):
    """Yields prices of pins that are not reported as bounds although memory is short."""
    options = ["--machine", folder / "machine.mlir", "--no-pipeline", "--memory",
               report["alternatives"]["front"][1]["memory"]]

    def train_step(file):
        limited = json.loads(training.run(tools.sbpc, "explain", file, *options, "--json"))
        return limited, next(e["counted"] for e in limited["entries"]
                             if e["entry"] == "train_step")

    limited, seconds = train_step(model)
    pins = limited["alternatives"]["pins"]
    yield from failures_of_pins(pins)
    if limited["alternatives"]["pins_exact"]:
        yield "bounds on what pins take are called exact"
    text = training.run(tools.sbpc, "explain", model, *options)
    if "Lower bounds of the additional time" not in text or ">= " not in text:
        yield f"the text does not say that prices of pins are bounds:\n{text}"
    lines = {pin["tensor"]: line for pin in pins for line in model.read_text().splitlines()
             if f"nn.parameter {pin['tensor']} " in line}
    tensor, choices = max(((pin["tensor"], pin["choices"]) for pin in pins
                           if pin["tensor"] in lines),
                          key=lambda pin: pin[1][-1]["more_seconds"])
    if not choices[-1]["more_seconds"] > 0:
        yield f"the bounds say nothing: {choices}"
    pinned = folder / "limited.mlir"
    line = lines[tensor]
    pinned.write_text((folder / "machine.mlir").read_text() + "\n" + model.read_text()
                      .replace(line, f"{line} {{sbp.pin = #sbp.nd<@machine, "
                                     f"{choices[-1]['placement']}>}}"))
    del options[:2]
    _, more = train_step(pinned)
    if more < seconds + choices[-1]["more_seconds"] * (1 - 1e-9):
        yield f"{choices[-1]} takes {more}, without {seconds}"


def failures_of_order(train):
    """Yields functions that are not in the order in which a step runs them."""
    layers = ["embed", "attention", "feed_forward", "score"]
    expected = (["train_step"] + [f"{layer}.forward" for layer in layers]
                + [f"{layer}.backward" for layer in reversed(layers)])
    names = [function["function"] for function in train["functions"]]
    if names != expected:
        yield f"functions stand in the order {names}"


def failures_of_shares(entry):
    """Yields entries that are not the sum of their layers, or of groups of equal ops and
    movements."""
    for key in ("layers", "parts"):
        seconds = sum(share["computing"] + share["communicating"] for share in entry[key])
        if not is_close(seconds, entry["seconds"]):
            yield f"@{entry['entry']}: its {key} take {seconds}, it {entry['seconds']}"
        takes = [share["computing"] + share["communicating"] for share in entry[key]]
        if takes != sorted(takes, reverse=True):
            yield f"@{entry['entry']}: {key} are not in the order of what they take"


def failures_of_names(model, report):
    """Yields ops and movements without a name, or with a name that the text does not have
    there."""
    lines = model.read_text().splitlines()
    for entry in report["entries"]:
        for function in entry["functions"]:
            for part in function["ops"] + function["movements"]:
                if part["seconds"] == 0:
                    continue
                if not part.get("tensor") or not part.get("place"):
                    yield f"in @{function['function']} there is no name: {part}"
                    continue
                file, line = part["place"].rsplit(":", 1)
                if file != str(model):
                    yield f"{part['place']} is not in {model}"
                if part["tensor"].lstrip("@%").startswith("adam."):
                    continue  # optimiser's state that belongs to no parameter
                if part["tensor"][0] in "%@" and " " not in part["tensor"] and not re.search(
                        re.escape(part["tensor"]) + r"\b", lines[int(line) - 1]):
                    yield f"{part['tensor']} is not at {part['place']}: {lines[int(line) - 1]}"


def failures_of_page(tools, folder, machine):
    """Yields reports whose first part is longer than a page, for deep models as well."""
    model = folder / "deep.mlir"
    training.run(tools.generator, "--layers", 12, "--width", 32, "--heads", 2, "-o", model)
    text = training.run(tools.sbpc, "explain", model, "--machine", machine,
                        "--no-pipeline")
    if len(text.splitlines()) > 80:
        yield f"{len(text.splitlines())} lines of text:\n{text}"
    if "12 x @attention.forward" not in text:
        yield f"the calls of a layer are not one line:\n{text}"
    for line in (l for l in text.splitlines() if " x nn.adam" in l):
        if not re.search(r"nn\.adam +@\w", line):
            yield f"an update does not say of what: {line}"


def main():
    tools = training.parse_tools()
    folder = training.scratch()
    model = folder / "gpt.mlir"
    training.run(tools.generator, *GPT, "-o", model)
    failures = []

    for name, machine in MACHINES.items():
        file = folder / "machine.mlir"
        file.write_text(machine + DEVICE)
        page = folder / "report.html"
        report = json.loads(training.run(tools.sbpc, "explain", model, "--machine",
                                         file, "--no-pipeline", "--json", "--html", page))
        failures += failures_of_parts(report)
        failures += failures_of_names(model, report)
        for entry in report["entries"]:
            failures += failures_of_shares(entry)
            # The boxed program takes the time that the search proved to be optimal, and the
            # additional time of buckets that are not full, less what shared kernels save.
            steps = [step for function in entry["functions"]
                     for move in function["movements"] for step in move["steps"]]
            alone = entry["seconds"] + entry["saved"]
            more = alone - entry["counted"]
            if any(step["bucket_bytes"] for step in steps):
                right = 0 <= more < 0.3 * entry["counted"]
            else:
                right = is_close(alone, entry["counted"])
            if not right or not is_close(entry["counted"], entry["lower_bound"]):
                failures.append(f"{name}: @{entry['entry']} takes {alone} by single kernels, "
                                f"the search said {entry['lower_bound']}")
            saved = sum(op["saved"] for function in entry["functions"]
                        for op in function["ops"])
            if not is_close(saved, entry["saved"]) or saved <= 0:
                failures.append(f"{name}: @{entry['entry']} saves {entry['saved']} in all, "
                                f"and its ops save {saved}")
        train = next(e for e in report["entries"] if e["entry"] == "train_step")
        failures += failures_of_order(train)
        failures += failures_of_alternatives(report, train)
        failures += failures_of_autoddl(tools, model, file, report)
        failures += failures_of_pin(tools, folder, model, report, train)
        if name == "two levels":
            failures += failures_of_limited_pins(tools, folder, model, report)
        embedded = re.search(r'<script type="application/json"[^>]*>(.*?)</script>',
                             page.read_text(), re.DOTALL)
        if json.loads(embedded.group(1)) != report:
            failures.append(f"{name}: the page shows something else")
        text = training.run(tools.sbpc, "explain", model, "--machine", file,
                            "--no-pipeline")
        if text.count(": proven.") != len(report["entries"]):
            failures.append(f"{name}: the text does not say what is proven:\n{text}")

    # A mesh with more axes has more plans.
    file.write_text("""sbp.machine @machine [
        #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-10>,
        #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-11>]""" + DEVICE)
    whole, divided = (
        next(e["counted"] for e in json.loads(training.run(
            tools.sbpc, "explain", model, "--machine", file, "--no-pipeline", "--json",
            *options))["entries"]
             if e["entry"] == "train_step")
        for options in ([], ["--divide-levels"]))
    if divided > whole:
        failures.append(f"on divided levels {divided}, on whole ones {whole}")

    failures += failures_of_page(tools, folder, file)

    # A plan in the model is explained without a search.
    placed = folder / "placed.mlir"
    file.write_text(MACHINES["two levels"] + DEVICE)
    training.run(tools.sbpc, model, "--machine", file, "--emit", "placed",
                 "--place-by", "propagation", "-o", placed)
    by_hand = json.loads(training.run(tools.sbpc, "explain", placed, "--json"))
    failures += failures_of_parts(by_hand)
    seconds = next(e["seconds"] + e["saved"] for e in by_hand["entries"]
                   if e["entry"] == "train_step")
    if not is_close(seconds, report["propagated"]["seconds"]):
        failures.append(f"placed by propagation it takes {seconds}, as a comparison "
                        f"{report['propagated']['seconds']}")

    local = folder / "local.mlir"
    training.run(tools.sbpc, model, "--machine", file, "--emit", "local", "-o", local)
    refused = subprocess.run([tools.sbpc, "explain", local], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    if refused.returncode != 1 or "local form" not in refused.stderr:
        failures.append(f"of a local program: {refused}")
    for nowhere, why in ((folder / "missing" / "page.html", "missing"), (folder, folder.name),
                         ("-", "standard output")):
        refused = subprocess.run([tools.sbpc, "explain", model, "--json", "--html", nowhere],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 check=False)
        if refused.returncode != 1 or refused.stdout or why not in refused.stderr:
            failures.append(f"of a page that cannot be written: {refused}")
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
