"""Pipelines: whether a step takes the predicted time, and whether transfers are hidden.

Two stages, with a rank and a core each, train a GPT by 1f1b with N = 2, 4, 8 and 16 micro-batches of
the same size. For the run with 4, --trace gives the times of each stage's tasks, and the time of a
step outside of the tasks. From these, `sbp-lab schedule` predicts the time of a step with N. (With 2,
half of the tasks run while the other core waits, and may be faster.)

Four stages are on four emulated hosts behind slow links, where transfers take longer than tasks. The
times are those of a run with 4 micro-batches by 1f1b; steps with 16 are predicted and measured for
three families of schedules. The hidden share is the part of the time of all transfers across one cut,
added up, that does not make a step longer. Times that messages wait for each other on a link are not
predicted. Needs root.

Steps, tasks and transfers are medians over all turns. Reports at the end which predictions are more
than 15 % off, which families were ranked wrongly although they differ by more than 10 %, and whether
the best family hides less than 60 %.
"""

import argparse
import dataclasses
import json
import pathlib
import statistics
import sys
import tempfile

import emulated_hosts
import prediction
import task_times

ROOT = pathlib.Path(__file__).absolute().parent.parent.parent
TEXT = ROOT / "models/text/genesis.txt"
TOOLS = ROOT / "bazel-bin/tools"

WARM_UP = 2  # steps of a run that do not count
MICRO_BATCHES = (2, 4, 8, 16)
FAMILIES = ("gpipe", "eager-1f1b", "1f1b")
LEAST_HIDDEN = 0.6
STAGES_ON_HOSTS = 4
FEW, MANY = 4, 16  # micro-batches of measured tasks, and of predicted steps, on hosts


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        result = {"two_stages": two_stages(options, pathlib.Path(folder))}
        try:
            result["slow_hosts"] = slow_hosts(options, pathlib.Path(folder))
        except emulated_hosts.CannotEmulate as error:
            print(f"bench pipeline: no slow hosts: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps({name: part.as_json() for name, part in result.items()}))
    else:
        print("\n\n".join(part.as_text() for part in result.values()))


def parse_options():
    parser = argparse.ArgumentParser(
        prog="bench pipeline", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, meaning in (
            ("layers", 4, "number of layers of the GPT, at least one for each stage"),
            ("width", 256, "width of the GPT in two stages; on hosts it is a quarter of this"),
            ("sequence", 64, "number of tokens of a sample"),
            ("samples", 2, "number of samples of a micro-batch"),
            ("bandwidth", 1e8, "bandwidth of a host's link in each direction, bytes per second"),
            ("latency", 4e-3, "latency from host to host, in seconds"),
            ("steps", 8, "number of measured steps of each program in a turn"),
            ("turns", 3, "number of turns of all programs")):
        parser.add_argument(f"--{name}", type=type(default), default=default,
                            metavar="N", help=f"{meaning} ({default:g})")
    parser.add_argument("--json", action="store_true",
                        help="print one JSON object instead of text")
    options = parser.parse_args()
    if options.layers < STAGES_ON_HOSTS:
        parser.error(f"--layers: {STAGES_ON_HOSTS} stages take as many layers")
    return options


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Measured times, and those predicted from the times of tasks."""

    title: str
    times: task_times.TaskTimes
    predictions: list
    hidden: dict  # share of hidden transfers, by family; may be empty

    def failures(self):
        yield from prediction.failures(self.predictions)
        if self.hidden and max(self.hidden.values()) < LEAST_HIDDEN:
            yield (f"at most {100 * max(self.hidden.values()):.0f} % of the transfers is "
                   f"hidden, less than {100 * LEAST_HIDDEN:g} %")

    def as_json(self):
        return {"times": dataclasses.asdict(self.times),
                "steps": [{**dataclasses.asdict(one), "off": one.off}
                          for one in self.predictions],
                "hidden": self.hidden, "failures": list(self.failures())}

    def as_text(self):
        def milliseconds(all_seconds):
            return " ".join(f"{1e3 * seconds:.2f}" for seconds in all_seconds)

        times = self.times
        lines = [self.title,
                 f"By stage, a forward takes {milliseconds(times.forward)} ms, a backward "
                 f"{milliseconds(times.backward)} ms; a transfer "
                 f"{milliseconds([times.transfer])} ms, what is around the tasks of a step "
                 f"{milliseconds([times.around])} ms", "",
                 f"{'a step':20}{'predicted':>12}{'measured':>12}{'off':>9}"
                 + (f"{'hidden':>9}" if self.hidden else "")]
        for one in self.predictions:
            line = (f"{one.name:20}{1e3 * one.predicted:9.1f} ms"
                    f"{1e3 * one.measured:9.1f} ms{100 * one.off:+7.1f} %")
            if self.hidden:
                line += f"{100 * self.hidden[one.name]:7.0f} %"
            lines.append(line)
        return "\n".join(lines + ["", *(list(self.failures()) or ["As predicted."])])


def compiled(folder, name, options, width, stages, family, micro_batches):
    """Returns a program of a GPT in `stages` stages of one rank each."""
    model, program = folder / f"{name}.mlir", folder / name
    layers = [options.layers // stages] * stages
    layers[0] += options.layers % stages
    emulated_hosts.run(ROOT / "models/gpt.py", "--layers", options.layers, "--width", width,
                       "--heads", 4, "--vocabulary", 256, "--sequence", options.sequence,
                       "--batch", options.samples * micro_batches,
                       "--stages", ",".join(map(str, layers)), "-o", model)
    emulated_hosts.run(TOOLS / "sbpc", model, "--schedule", family, "--micro-batches",
                       micro_batches, "-o", program)
    return program


def run_in_turns(run, programs, options):
    """Returns the seconds of all steps that count, and the traces, of each program."""
    seconds = {name: [] for name in programs}
    traces = {name: [] for name in programs}
    for turn in range(options.turns):
        for name, program in programs.items():
            traces[name].append(program.with_suffix(f".{turn}.json"))
            lines = run(program, "--text", TEXT, "--steps", WARM_UP + options.steps,
                        "--json", "--trace", traces[name][-1]).splitlines()
            ends = [json.loads(line)["seconds"] for line in lines]
            seconds[name] += [end - begin
                              for begin, end in zip(ends, ends[1:])][WARM_UP - 1:]
    return seconds, traces


def two_stages(options, folder):
    programs = {f"{count} micro-batches": compiled(folder, f"two{count}", options,
                                                   options.width, 2, "1f1b", count)
                for count in MICRO_BATCHES}

    def run(*words):
        return emulated_hosts.run(TOOLS / "sbprun", "-n", 2, *words)

    seconds, traces = run_in_turns(run, programs, options)
    times = task_times.read(traces[f"{FEW} micro-batches"], 2)
    predictions = [
        prediction.Prediction(name, times.step(TOOLS / "sbp-lab", "1f1b", count),
                              statistics.median(seconds[name]))
        for name, count in zip(programs, MICRO_BATCHES)]
    return Outcome("Two stages, by 1f1b", times, predictions, {})


def slow_hosts(options, folder):
    tools = emulated_hosts.Tools(*(TOOLS / name
                                   for name in ("sbpc", "sbprun", "sbp-hosts")))
    cluster = emulated_hosts.Cluster(tools, STAGES_ON_HOSTS, 1, options.bandwidth,
                                     options.latency)

    def program(name, family, count):
        return compiled(folder, name, options, options.width // 4, STAGES_ON_HOSTS, family,
                        count)

    programs = {"few": program("few", "1f1b", FEW),
                **{family: program(family, family, MANY) for family in FAMILIES}}
    seconds, traces = run_in_turns(cluster.run, programs, options)
    times = task_times.read(traces["few"], STAGES_ON_HOSTS)
    message = 4 * options.samples * options.sequence * (options.width // 4)  # bytes
    predictions, hidden = [], {}
    for family in FAMILIES:
        measured = statistics.median(seconds[family])
        predictions.append(prediction.Prediction(
            family, times.step(TOOLS / "sbp-lab", family, MANY,
                               link=message / options.bandwidth), measured))
        longer = measured - times.step(TOOLS / "sbp-lab", family, MANY, transfer=0)
        hidden[family] = 1 - longer / (2 * MANY * times.transfer)
    return Outcome(f"Four stages on hosts behind links of {1e-6 * options.bandwidth:g} MB/s "
                   f"and {1e3 * options.latency:g} ms, {MANY} micro-batches", times,
                   predictions, hidden)


if __name__ == "__main__":
    main()
