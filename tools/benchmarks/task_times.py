"""How long tasks of a pipeline and transfers between them took, from what --trace has
written (docs/running.md), and how long a step takes by them and a schedule.
"""

import collections
import dataclasses
import json
import re
import statistics
import subprocess


@dataclasses.dataclass(frozen=True)
class TaskTimes:
    """Seconds."""

    forward: list    # of each stage, for one micro-batch
    backward: list
    transfer: float  # from the start of a send to the receiver's having it
    around: float    # of a step, behind its last task and before its first

    def step(self, sbp_lab, family, micro_batches, transfer=None, link=0):
        """How long a step takes by `family`; with transfers that take `transfer`, if
        given, in place of what they took, of which each keeps a link busy for `link`."""
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
    """Medians of the files `traces`, of runs of a program whose rank i has stage i."""
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
    """How long transfers took for which the receiver waited: of others it is not known
    when they came."""
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
    """What rank 0, which has the first task of a step and its last, takes besides from the
    start of a step to that of the next one."""
    mine = sorted((event for event in events if event["pid"] == 0),
                  key=lambda event: event["ts"])
    starts = [event["ts"] for event in mine if event["cat"] == "step"]
    tasks = [event for event in mine
             if event["cat"] == "task" and re.match(r"\d+[FB] ", event["name"])]
    for start, end in zip(starts, starts[1:]):
        inside = [task for task in tasks if start <= task["ts"] < end]
        first, last = inside[0]["ts"], inside[-1]["ts"] + inside[-1]["dur"]
        yield 1e-6 * (end - start - (last - first))
