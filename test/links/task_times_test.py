#!/usr/bin/python3
"""The times of tasks in a trace determine the time of a step by a schedule.

There are two stages, with forward passes of 1 and 2 ms, backward passes of 3 and 4 ms, and a
transfer of 0.5 ms. One receiver is late, and its transfer does not count. Half a millisecond is
between the last task of a step and the first task of the next one.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

import task_times


def event(cat, name, rank, start, duration, micro_batch=0):
    """Returns an event of a trace; all times are in milliseconds."""
    return {"ph": "X", "cat": cat, "name": name, "pid": rank, "tid": 0, "ts": 1e3 * start,
            "dur": 1e3 * duration, "args": {"micro_batch": micro_batch}}


EVENTS = [
    {"ph": "M", "name": "process_name", "pid": 0},
    event("step", "step 1", 0, 0, 11.25),
    event("task", "0F 0", 0, 0.25, 1),
    event("transfer", "start_send of %h", 0, 1.25, 0),
    event("transfer", "finish_receive of %h", 1, 0, 1.75),
    event("task", "1F 0", 1, 1.75, 2),
    event("task", "1B 0", 1, 3.75, 4),
    event("transfer", "start_send of %g", 1, 7.75, 0),
    event("transfer", "finish_receive of %g", 0, 2, 6.25),
    # The receiver was busy when this transfer arrived.
    event("transfer", "start_send of %h", 0, 2, 0, micro_batch=1),
    event("transfer", "finish_receive of %h", 1, 8, 0.1, micro_batch=1),
    event("task", "0B 0", 0, 8.25, 3),
    event("step", "step 2", 0, 11.5, 1),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sbp-lab", type=os.path.abspath, required=True)
    sbp_lab = parser.parse_args().sbp_lab
    trace = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))) / "trace.json"
    trace.write_text(json.dumps({"traceEvents": EVENTS}))
    times = task_times.read([trace], 2)
    found = [1e3 * seconds for seconds in
             (*times.forward, *times.backward, times.transfer, times.around)]
    # 0F 0, 0F 1; the second stage is busy for 12 ms from 1.5 ms on; 0B 1.
    steps = [1e3 * times.step(sbp_lab, "1f1b", 1), 1e3 * times.step(sbp_lab, "1f1b", 2),
             1e3 * times.step(sbp_lab, "1f1b", 2, transfer=0)]
    expected = [1, 2, 3, 4, 0.5, 0.5, 11.5, 17.5, 16.5]
    if any(abs(a - b) > 1e-6 for a, b in zip([*found, *steps], expected)):
        sys.exit(f"{[*found, *steps]}, not {expected}")


if __name__ == "__main__":
    main()
