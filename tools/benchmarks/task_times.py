"""The times of tasks of a pipeline and of the transfers between them, from the files of --trace
(docs/running.md), and the time of a step that follows from them and a schedule.
"""

import collections
import dataclasses
import json
import re
import statistics
import subprocess


@dataclasses.dataclass(frozen=True)
class TaskTimes:
    """Times in seconds."""

    forward: list    # per stage, for one micro-batch
    backward: list
    transfer: float  # from the start of a send to the arrival
    around: float    # of a step, after its last task and before its first one

    def step(self, sbp_lab, family, micro_batches, transfer=None, link=0):
        """Returns the time of a step by `family`. `transfer` replaces the measured time of
        transfers if given; each transfer then occupies a link for `link` seconds."""
        transfer = self.transfer if transfer is None else transfer
        link = min(link, transfer)
        simulated = subprocess.run(
            [sbp_lab, "schedule", "--family", family, "--stages", str(len(self.forward)),
             "--micro-batches", str(micro_batches), "--transfer", repr(link),
             "--latency", repr(transfer - link),
             "--forward", ",".join(map(repr, self.forward)),
             "--backward", ",".join(map(repr, self.backward)), "--json"],
            stdout=subprocess.PIPE, check=True)
        return json.loads(simulated.stdout)["makespan"] + self.around


def read(traces, stages):
    """Returns the medians over the files `traces`, of runs of a program whose rank i has
    stage i."""
    tasks, transfers, around = collections.defaultdict(list), [], []
    for trace in traces:
        events = [event for event in json.loads(trace.read_text())["traceEvents"]
                  if event["ph"] == "X"]
        for event in events:
            if event["cat"] == "task":
                tasks[event["name"].split()[0]].append(1e-6 * event["dur"])
        transfers += transfers_of(events)
        around += around_of(events)
    return TaskTimes([statistics.median(tasks[f"{stage}F"]) for stage in range(stages)],
                     [statistics.median(tasks[f"{stage}B"]) for stage in range(stages)],
                     statistics.median(transfers), statistics.median(around))


def transfers_of(events):
    """Returns the times of the transfers for which the receiver waited; the arrival of
    other transfers is not known."""
    sends, receives = collections.defaultdict(list), collections.defaultdict(list)
    for event in sorted(events, key=lambda event: event["ts"]):
        if event["cat"] != "transfer":
            continue
        what, tensor = event["name"].split(" of ", 1)
        key = tensor, event.get("args", {}).get("micro_batch")
        if what == "start_send":
            sends[key].append(event["ts"])
        elif what == "finish_receive":
            receives[key].append((event["ts"], event["ts"] + event["dur"]))
    return [1e-6 * (end - start)
            for key in sends for start, (waits, end) in zip(sends[key], receives[key])
            if waits < start]


def around_of(events):
    """Returns the time outside of tasks between the starts of two steps on rank 0, which
    has the first and the last task of a step."""
    mine = sorted((event for event in events if event["pid"] == 0),
                  key=lambda event: event["ts"])
    starts = [event["ts"] for event in mine if event["cat"] == "step"]
    tasks = [event for event in mine
             if event["cat"] == "task" and re.match(r"\d+[FB] ", event["name"])]
    for start, end in zip(starts, starts[1:]):
        inside = [task for task in tasks if start <= task["ts"] < end]
        first, last = inside[0]["ts"], inside[-1]["ts"] + inside[-1]["dur"]
        yield 1e-6 * (end - start - (last - first))
