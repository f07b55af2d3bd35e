#include "runtime/main/Options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "runtime/main/Introduction.h"
#include "runtime/main/NamedPaths.h"
#include "runtime/options/Checks.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

using communication::Transport;
using options::anyUnsigned;
using options::integerFrom;
using options::notNegative;
using options::oneOf;
using options::positive;
using train::LearningRate;

/// Returns a name on the command line with the value of its enumerator.
template <typename Enum>
std::pair<std::string, int64_t> named(const char* name, Enum value) {
  return {name, static_cast<int64_t>(value)};
}

CLI::Validator isSchedule() {
  using Schedule = LearningRate::Schedule;
  return oneOf({named("constant", Schedule::kConstant),
                named("linear", Schedule::kLinear),
                named("cosine", Schedule::kCosine)});
}

CLI::Validator isDifference() {
  return oneOf({named("data", Difference::kData),
                named("optimizer", Difference::kOptimizer),
                named("missing", Difference::kMissing),
                named("extra", Difference::kExtra)});
}

/// Accepts NumPy's type names, which authors of such files know.
CLI::Validator isTokenType() {
  return oneOf({named("uint16", tensor::StoredType::kU16),
                named("uint32", tensor::StoredType::kU32)});
}

CLI::Validator isOnNan() {
  return oneOf({named("stop", OnNan::kStop), named("skip", OnNan::kSkip),
                named("continue", OnNan::kContinue)});
}

CLI::Validator isTransport() {
  return oneOf({named("auto", Transport::kAuto),
                named("shm", Transport::kSharedMemory),
                named("ucx", Transport::kUcx)});
}

/// The parser of the command line, and the options that it fills.
struct Parser {
  Options options;
  std::vector<std::string> data, dumps;
  CLI::App app;

  explicit Parser(const plan::Plan& plan) : app(introduction(plan)) {
    app.name(plan.model.empty() ? "program" : text::printable(plan.model));
    addActions();
    addTraining();
    addFiles();
    addSampling();
    addShowing();
    addRanks();
  }

  void addActions() {
    app.add_option("--entry", options.entry,
                   "Run this entry. An entry with the input `lr`, a "
                   "learning rate, trains, in an order of the samples "
                   "that the seed decides; any other runs once per batch "
                   "of the data, in the order of the file")
        ->type_name("NAME");
    app.add_flag("--describe", options.describes,
                 "Describe the program (parameters, placements, "
                 "memory) and exit");
    app.add_flag("--version", options.showsVersion,
                 "Show the program's model, plan and compiler, and "
                 "exit");
  }

  void addTraining() {
    app.add_option("--steps", options.numSteps,
                   "Number of steps to train (100); with --load, number "
                   "of further steps (those that are left of the run "
                   "that saved); with an entry that does not train, "
                   "number of batches (all)")
        ->type_name("N")
        ->check(integerFrom(1))
        ->group("Training");
    app.add_option("--lr", options.peakRate,
                   "Learning rate, after the warm-up (0.001)")
        ->type_name("RATE")
        ->check(notNegative())
        ->group("Training");
    app.add_option("--warmup", options.warmupSteps,
                   "Number of steps over which the learning rate rises "
                   "from 0 (0)")
        ->type_name("N")
        ->check(integerFrom(0))
        ->group("Training");
    app.add_option("--schedule", options.schedule,
                   "Learning rate after the warm-up: constant; or linear "
                   "or cosine, which fall to --min-lr at the last step "
                   "(constant)")
        ->type_name("NAME")
        ->transform(isSchedule())
        ->group("Training");
    app.add_option("--min-lr", options.minimumRate,
                   "Learning rate at the last step of a linear or cosine "
                   "schedule (0)")
        ->type_name("RATE")
        ->check(notNegative())
        ->group("Training");
    app.add_option("--on-nan", options.onNan,
                   "When a loss or a gradient is NaN or infinite: stop, "
                   "with an error that names its origin; skip the step, "
                   "which then changes nothing; or continue, and take "
                   "the step nevertheless (stop)")
        ->type_name("WHAT")
        ->transform(isOnNan())
        ->group("Training");
    app.add_option("--seed", options.seed,
                   "Seed of initial values, order of samples, and "
                   "sampled text (0)")
        ->type_name("N")
        ->check(anyUnsigned())
        ->group("Training");
  }

  void addFiles() {
    app.add_option("--data", data,
                   "Feed an input from a .npy file, whose first "
                   "dimension is the samples; integers and "
                   "floating-point numbers of other widths are "
                   "converted. May be repeated")
        ->type_name("INPUT=FILE")
        ->group("Files");
    CLI::Option* textOption =
        app.add_option("--text", options.textPath,
                       "Feed the inputs `tokens` and `targets` from the "
                       "bytes of a text; the target of each token is the "
                       "next one")
            ->type_name("FILE")
            ->group("Files");
    CLI::Option* tokens =
        app.add_option("--tokens", options.tokensPath,
                       "Feed the inputs `tokens` and `targets` from token "
                       "ids: a file of numbers without a header, such as "
                       "nanoGPT's train.bin, or a .npy file of one dimension")
            ->type_name("FILE")
            ->excludes(textOption)
            ->group("Files");
    app.add_option("--token-type", options.tokenType,
                   "Type of the numbers in a file of --tokens without a "
                   "header: uint16 or uint32 (uint16)")
        ->type_name("TYPE")
        ->transform(isTokenType())
        ->needs(tokens)
        ->group("Files");
    CLI::Option* load =
        app.add_option("--load", options.loadPath,
                       "Start from the parameters in a safetensors file, or "
                       "in the files of an index "
                       "(model.safetensors.index.json), in f16, bf16, f32 or "
                       "f64. Training continues the run that saved the file: "
                       "its seed, position in the data, schedule and --steps "
                       "hold unless given")
            ->type_name("FILE")
            ->group("Files");
    app.add_option("--load-anyway", options.acceptedDifferences,
                   "Accept differences in --load: train on other data "
                   "(data) or with another optimizer (optimizer) than "
                   "the run that saved; initialize parameters that the "
                   "file lacks (missing); ignore tensors that the "
                   "program lacks (extra)")
        ->type_name("WHAT,...")
        ->delimiter(',')
        ->transform(isDifference())
        ->needs(load)
        ->group("Files");
    CLI::Option* save =
        app.add_option("--save", options.savePath,
                       "At the end, save parameters and optimiser state. A "
                       "run that trains and is told to end (Ctrl-C, SIGTERM, "
                       "SIGHUP, SIGUSR1), or whose output nobody reads, "
                       "saves after the current step")
            ->type_name("FILE")
            ->group("Files");
    CLI::Option* saveEvery =
        app.add_option("--save-every", options.saveEvery,
                       "Save after every N-th step, too: if --save is "
                       "gpt.safetensors, to gpt-000100.safetensors and so "
                       "on; gpt.safetensors is always the newest")
            ->type_name("N")
            ->check(integerFrom(1))
            ->needs(save)
            ->group("Files");
    app.add_option("--keep", options.numKept,
                   "Keep only the newest K files of --save-every (all); "
                   "the file of --save does not count")
        ->type_name("K")
        ->check(integerFrom(1))
        ->needs(saveEvery)
        ->group("Files");
    app.add_option("--dump", dumps,
                   "At the end, write an output or a parameter to a .npy "
                   "file. May be repeated")
        ->type_name("NAME=FILE")
        ->group("Files");
    app.add_option("--trace", options.tracePath,
                   "At the end, write a trace of what each rank did and "
                   "when, for ui.perfetto.dev or chrome://tracing. It "
                   "has the last steps, with at most 100,000 events per "
                   "rank")
        ->type_name("FILE")
        ->group("Files");
  }

  void addSampling() {
    app.add_option("--sample", options.sampleLength,
                   "Print the prompt and N bytes with which the model "
                   "continues it, by an entry that takes tokens and "
                   "gives logits")
        ->type_name("N")
        ->check(integerFrom(1))
        ->group("Sampling");
    app.add_option("--prompt", options.prompt,
                   "Text for --sample to continue (a line break)")
        ->type_name("TEXT")
        ->group("Sampling");
    app.add_option("--temperature", options.choice.temperature,
                   "Below 1, likely bytes become likelier; 0: always the "
                   "likeliest")
        ->type_name("T")
        ->check(notNegative())
        ->capture_default_str()
        ->group("Sampling");
    app.add_option("--top-k", options.choice.topK,
                   "Choose among the K likeliest bytes only; 0: among "
                   "all")
        ->type_name("K")
        ->check(integerFrom(0))
        ->capture_default_str()
        ->group("Sampling");
  }

  void addShowing() {
    app.add_flag("--json", options.isJson,
                 "Print one JSON object per step on standard output")
        ->group("Showing");
    app.add_option("--log-every", options.logEvery,
                   "Show every N-th step; 0: as fits a terminal, a file "
                   "or JSON")
        ->type_name("N")
        ->check(integerFrom(0))
        ->capture_default_str()
        ->group("Showing");
    app.add_flag("--profile", options.profiles,
                 "At the end, show where the time of rank 0 went; with "
                 "--json, also show for every step how long ranks "
                 "communicated")
        ->group("Showing");
  }

  void addRanks() {
    app.add_flag("--in-process", options.isInProcess,
                 "Run all ranks as threads of this process, without a launcher")
        ->group("Ranks");
    app.add_option("--transport", options.transport,
                   "How ranks communicate: auto, shm (shared memory, on "
                   "one host) or ucx")
        ->type_name("NAME")
        ->transform(isTransport())
        ->group("Ranks");
    app.add_option("--wait-timeout", options.waitTimeoutSeconds,
                   "End the run if ranks wait this long for a rank that "
                   "makes no progress (600, or SBP_WAIT_TIMEOUT). Raise "
                   "it if one kernel or file takes longer. At the start, "
                   "ranks wait for each other for 60 s (or "
                   "SBP_CONNECT_TIMEOUT), but no longer than this")
        ->type_name("SECONDS")
        ->check(positive())
        ->group("Ranks");
  }
};

}  // namespace

std::variant<Options, Reply> parseCommandLine(int argc, const char* const* argv,
                                              const plan::Plan& plan) {
  // CLI11 reports errors by exceptions, which are caught here.
  Parser parser(plan);
  try {
    parser.app.parse(argc, argv);
    parser.options.data = namedPaths("--data", parser.data, plan);
    parser.options.dumps = namedPaths("--dump", parser.dumps, plan);
    if (parser.options.prompt.empty())
      throw CLI::ValidationError(
          "--prompt", "it is empty, and a text of at least one byte is needed");
  } catch (const CLI::CallForHelp&) {
    return Reply{parser.app.help(), /*isError=*/false};
  } catch (const CLI::Error& exception) {
    return Reply{options::messageOf(exception), /*isError=*/true};
  }
  return parser.options;
}

}  // namespace sbp::program
