#include "runtime/main/Options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "runtime/main/Introduction.h"
#include "runtime/main/NamedPaths.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
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
    app.formatter(std::make_shared<options::HelpFormatter>());
    app.name(plan.model.empty() ? "program" : text::printable(plan.model));
    addActions();
    addTraining();
    addFiles();
    addSampling();
    addShowing();
    addRanks(plan.isForGpus());
  }

  void addActions() {
    app.add_option("--entry", options.entry,
                   "Entry to run. An entry with the input `lr`, a learning "
                   "rate, trains, in an order of the samples that the seed "
                   "decides. Any other entry runs once per batch of the data, "
                   "in the order of the file (train_step, or the only entry)")
        ->type_name("NAME");
    app.add_flag("--describe", options.describes,
                 "Describe the program (parameters, placements, "
                 "memory) and exit");
    app.add_flag("--version", options.showsVersion,
                 "Print the program's model, plan and compiler, and "
                 "exit");
  }

  void addTraining() {
    app.add_option("--steps", options.numSteps,
                   "Number of training steps (100). With --load, number of "
                   "further steps (the rest of the run that saved). For an "
                   "entry that does not train, number of batches (all)")
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
                   "Course of the learning rate after the warm-up: constant, "
                   "or linear or cosine, which fall to --min-lr at the last "
                   "step (constant)")
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
                   "Reaction to a loss or gradient that is NaN or infinite: "
                   "stop ends the run with an error that names the op that "
                   "made it, skip leaves out the step, continue takes the step "
                   "all the same (stop)")
        ->type_name("NAME")
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
                   "Feed an input from a .npy file, whose first dimension is "
                   "the samples. Integers and floating-point numbers of other "
                   "widths are converted. May be repeated")
        ->type_name("INPUT=FILE")
        ->group("Files");
    CLI::Option* textOption =
        app.add_option("--text", options.textPath,
                       "Feed the inputs `tokens` and `targets` from the "
                       "bytes of a text. The target of each token is the next "
                       "token")
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
                   "Number type of a --tokens file without a header: uint16 or "
                   "uint32 (uint16)")
        ->type_name("TYPE")
        ->transform(isTokenType())
        ->needs(tokens)
        ->group("Files");
    CLI::Option* load =
        app.add_option(
               "--load", options.loadPath,
               "Start from the parameters in a safetensors file, or "
               "in the files of an index "
               "(model.safetensors.index.json), in f16, bf16, f32 or "
               "f64. If this program saved the file, training "
               "continues that run, with its seed, position in the "
               "data, schedule and number of steps unless other options "
               "are given")
            ->type_name("FILE")
            ->group("Files");
    app.add_option("--load-anyway", options.acceptedDifferences,
                   "Differences between the file of --load and this run that "
                   "are no error. data: train on other data than the run that "
                   "saved. optimizer: train with another optimizer. missing: "
                   "initialize parameters that are not in the file. extra: "
                   "ignore tensors that are not in the program")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->transform(isDifference())
        ->needs(load)
        ->group("Files");
    CLI::Option* save =
        app.add_option("--save", options.savePath,
                       "Save parameters and optimiser state at the end. "
                       "Training that is interrupted (by Ctrl-C, SIGTERM, "
                       "SIGHUP or SIGUSR1, or because nobody reads its output) "
                       "saves after the current step")
            ->type_name("FILE")
            ->group("Files");
    CLI::Option* saveEvery =
        app.add_option("--save-every", options.saveEvery,
                       "Also save after every N-th step. If --save is "
                       "gpt.safetensors, files are named "
                       "gpt-000100.safetensors and so on, and gpt.safetensors "
                       "is always the newest one")
            ->type_name("N")
            ->check(integerFrom(1))
            ->needs(save)
            ->group("Files");
    app.add_option("--keep", options.numKept,
                   "Number of files of --save-every to keep, the newest ones. "
                   "The file of --save does not count (all)")
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
                   "At the end, write a timeline of each rank, which "
                   "ui.perfetto.dev and chrome://tracing show. It covers the "
                   "last steps, with at most 100,000 events per rank")
        ->type_name("FILE")
        ->group("Files");
  }

  void addSampling() {
    app.add_option("--sample", options.sampleLength,
                   "Print the prompt and N further bytes that the model "
                   "generates, by an entry from tokens to logits")
        ->type_name("N")
        ->check(integerFrom(1))
        ->group("Sampling");
    app.add_option("--prompt", options.prompt,
                   "Text that --sample continues (a line break)")
        ->type_name("TEXT")
        ->group("Sampling");
    app.add_option("--temperature", options.choice.temperature,
                   "Randomness of the choice of bytes. Below 1, likely bytes "
                   "become likelier. At 0, the likeliest byte is always chosen")
        ->type_name("T")
        ->check(notNegative())
        ->capture_default_str()
        ->group("Sampling");
    app.add_option("--top-k", options.choice.topK,
                   "Choose among the K likeliest bytes only. 0 stands for all "
                   "bytes")
        ->type_name("K")
        ->check(integerFrom(0))
        ->capture_default_str()
        ->group("Sampling");
  }

  void addShowing() {
    app.add_flag("--json", options.isJson,
                 "Print one JSON object per step on standard output")
        ->group("Showing");
    app.add_option(
           "--log-every", options.logEvery,
           "Show every N-th step. 0 chooses N for a terminal, a file or "
           "JSON")
        ->type_name("N")
        ->check(integerFrom(0))
        ->capture_default_str()
        ->group("Showing");
    app.add_flag(
           "--profile", options.profiles,
           "At the end, show the time of rank 0 by kernel and collective. "
           "With --json, also show the communication time of every step")
        ->group("Showing");
  }

  void addRanks(bool isForGpus) {
    app.add_flag("--in-process", options.isInProcess,
                 "Run all ranks as threads of this process, without a launcher")
        ->group("Ranks");
    app.add_option("--transport", options.transport,
                   "Transport between ranks: shm (shared memory, on one host), "
                   "ucx, or auto, which chooses one (SBP_TRANSPORT, or "
                   "auto)")
        ->type_name("NAME")
        ->transform(isTransport())
        ->group("Ranks");
    app.add_option("--wait-timeout", options.waitTimeoutSeconds,
                   "Time after which ranks that wait for a rank without "
                   "progress end the run. Raise it if a single kernel or file "
                   "takes longer. At the start, ranks wait for each other for "
                   "60 s, or SBP_CONNECT_TIMEOUT if that is set, but no longer "
                   "than this time (SBP_WAIT_TIMEOUT, or 600)")
        ->type_name("SECONDS")
        ->check(positive())
        ->group("Ranks");
    if (!isForGpus) return;
    app.add_flag("--share-gpu", options.mayShareGpu,
                 "Let several ranks of a host run on one GPU, if it has fewer "
                 "GPUs than ranks. Slow, but enough to try a program")
        ->group("Ranks");
    addCollectivesOption(app, options.collectives)->group("Ranks");
    app.add_flag("--one-stream", options.streaming.isSingle,
                 "Let a GPU compute and communicate in turn, and not at the "
                 "same time. The results have the same bits")
        ->group("Ranks");
    app.add_flag("--no-graphs{false}", options.streaming.usesGraphs,
                 "Start each kernel on its own, instead of kernels that follow "
                 "one another as a CUDA graph. The results have the same bits")
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
