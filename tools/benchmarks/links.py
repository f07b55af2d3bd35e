"""Predicted and measured communication on emulated hosts (AutoDDL, figure 4).

Emulates hosts behind slow links on this machine, calibrates there, places one GPT in ten ways, and
runs a few training steps of each plan. The time that `sbpc explain` predicts for the communication of
a step, from the prices of the calibration only, is compared with that of the ranks. Reports at the end
which predictions are more than 15 % off, and which plans were ranked wrongly although they differ by
more than 10 %. Needs root.
"""

import argparse
import dataclasses
import itertools
import json
import pathlib
import sys
import tempfile

import emulated_hosts
import placements
import prediction

ROOT = pathlib.Path(__file__).absolute().parent.parent.parent
TEXT = ROOT / "models/text/genesis.txt"

WARM_UP = 2            # steps that do not count
SMALLEST = 1 << 10     # least message of the calibration, bytes; the model's tensors are at least as large
LARGEST = 1 << 18
CONFIG = placements.gpt.Config(layers=2, width=128, heads=4, vocabulary=256, batch=8,
                               sequence=32)


def main():
    options = parse_options()
    binaries = (ROOT / "bazel-bin/tools" / name
                for name in ("sbpc", "sbprun", "sbp-hosts"))
    cluster = emulated_hosts.Cluster(emulated_hosts.Tools(*binaries), options.hosts,
                                     options.ranks, options.bandwidth, options.latency)
    try:
        with tempfile.TemporaryDirectory() as folder:
            fit, predictions = compare(cluster, placements.PLACEMENTS, options.steps,
                                       options.repetitions, pathlib.Path(folder))
    except emulated_hosts.CannotEmulate as error:
        sys.exit(f"bench links: {error}")
    if options.json:
        print(json.dumps(as_json(cluster, fit, predictions)))
    else:
        print(as_text(cluster, fit, predictions))


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench links", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, meaning in (
            ("hosts", 2, "number of emulated hosts"),
            ("ranks", 2, "number of ranks per host"),
            ("bandwidth", 1e7, "bandwidth of a host's link in each direction, bytes per second"),
            ("latency", 3e-4, "latency from host to host, in seconds"),
            ("steps", 10, "number of measured steps per plan"),
            ("repetitions", 7, "number of batches for each calibrated point")):
        parser.add_argument(f"--{name}", type=type(default), default=default,
                            metavar="N", help=f"{meaning} ({default:g})")
    parser.add_argument("--json", action="store_true",
                        help="print one JSON object instead of text")
    options = parser.parse_args()
    if options.hosts < 2 or options.hosts * options.ranks < 4:
        parser.error("--hosts and --ranks: a mesh of two axes takes four ranks, on two "
                     "hosts or more")
    return options


def compare(cluster, plans, steps, repetitions, folder):
    """Calibrates `cluster`, and predicts and measures each of `plans`. Returns how well
    the calibration fits, and the predictions."""
    measured = folder / "measured.mlir"
    sizes = list(itertools.takewhile(lambda size: size <= LARGEST,
                                     (SMALLEST << i for i in itertools.count())))
    fit = cluster.calibrate(measured, sizes, repetitions)
    machine = placements.Machine.read(measured)
    predictions = []
    for plan in plans:
        placed, program = folder / "placed.mlir", folder / "program"
        placed.write_text(placements.place(cluster.tools, plan, CONFIG, machine, folder))
        emulated_hosts.run(cluster.tools.sbpc, placed, "-o", program)
        predictions.append(prediction.Prediction(
            plan.name, placements.predicted_seconds(cluster.tools, placed),
            measured_seconds(cluster, program, steps)))
    return fit, predictions


def measured_seconds(cluster, program, steps):
    """Returns the communication time of a training step of `program`: the lower quartile
    of `steps`, which a calibration uses as well."""
    lines = cluster.run(program, "--text", TEXT, "--steps", WARM_UP + steps,
                        "--json", "--profile").splitlines()
    seconds = sorted(json.loads(line)["communication_seconds"]
                     for line in lines[WARM_UP:])
    return seconds[len(seconds) // 4]


def as_json(cluster, fit, predictions):
    return {
        "hosts": cluster.hosts, "ranks": cluster.ranks,
        "bandwidth": cluster.bandwidth, "latency": cluster.latency, "fit": fit,
        "plans": [{**dataclasses.asdict(one), "off": one.off} for one in predictions],
        "far_off": [one.name for one in prediction.far_off(predictions)],
        "misranked": [[faster.name, slower.name]
                      for faster, slower in prediction.misranked(predictions)],
    }


def as_text(cluster, fit, predictions):
    lines = [f"{cluster.hosts} hosts of {cluster.ranks} ranks behind links of "
             f"{1e-6 * cluster.bandwidth:g} MB/s and {1e6 * cluster.latency:g} us; "
             f"{fit['bad_points']} of {fit['points']} calibrated points are more than "
             f"{100 * fit['tolerance']:g} % off", "",
             f"{'communication of a step':28}{'predicted':>12}{'measured':>12}"
             f"{'off':>9}"]
    for one in sorted(predictions, key=lambda one: one.measured):
        lines.append(f"{one.name:28}{1e3 * one.predicted:9.1f} ms"
                     f"{1e3 * one.measured:9.1f} ms{100 * one.off:+7.1f} %")
    wrong = list(prediction.failures(predictions))
    lines += ["", *(wrong or ["All within 15 %, and all that differ by more than 10 % "
                              "ranked as measured."])]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
