#include "tools/lab/LabMain.h"

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "passes/schedule/lab/Subcommand.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
#include "runtime/options/Lists.h"
#include "runtime/status/Status.h"
#include "runtime/text/Printable.h"
#include "tools/lab/ChainCommand.h"
#include "tools/lab/ChimeraCommand.h"
#include "tools/lab/Experiments.h"
#include "tools/lab/MemoryCommand.h"
#include "tools/lab/ProblemFile.h"
#include "tools/lab/VtrainCommand.h"

namespace sbp::search::lab {
namespace {

constexpr char kOverview[] =
    R"(sbp-lab runs experiments without compiling a model:
  - the AutoDDL paper's: distributions of neural networks, searched with its cost model,
    exactly and by its heuristics (mlp, vgg, transformer, attention, figure8)
  - optima of cost function networks, which sbpc explain --dump-problem writes (cfn)
  - schedules of pipelines (schedule), and Chimera's choice of one (chimera)
  - memory and time to train a transformer on a grid of devices (memory)
  - simulated against measured steps of training (vtrain)
  - allocations of a chain of measured layers to processors (chain)
)";

constexpr char kFooter[] = R"(
Examples:
  sbp-lab mlp --dims 32768,16384,4096,2048,512 --nodes 128 --batch 1024
  sbp-lab figure8 --nodes 4096 --json
  sbp-lab schedule --family chimera --stages 4 --micro-batches 4
  sbp-lab memory --parameters 12e9 --devices 6 --stages 6
  sbp-lab chain graph.txt --processors 4 --memory 10GB
sbp-lab SUBCOMMAND --help has more.
)";

/// Names on the command line, and their values.
template <typename Value>
using Names = std::vector<std::pair<std::string, Value>>;

const Names<Solver> kSolvers = {
    {"exhaustive", Solver::Exhaustive}, {"elimination", Solver::Elimination},
    {"cd", Solver::CoordinateDescent},  {"mh", Solver::MetropolisHastings},
    {"random", Solver::Random},
};
const Names<autoddl::FirstInput> kFirstInputs = {
    {"free", autoddl::FirstInput::Free},
    {"gather", autoddl::FirstInput::Gather},
    {"gather+scatter", autoddl::FirstInput::GatherAndScatter},
};
const Names<autoddl::LastOutput> kLastOutputs = {
    {"split", autoddl::LastOutput::Split},
    {"gather", autoddl::LastOutput::Gather},
};
const Names<autoddl::ExchangeGroup> kExchangeGroups = {
    {"all", autoddl::ExchangeGroup::AllDevices},
    {"smallest", autoddl::ExchangeGroup::Smallest},
};

template <typename Value>
CLI::Validator oneOf(const Names<Value>& names) {
  std::vector<std::pair<std::string, int64_t>> numbers;
  for (const auto& [name, value] : names)
    numbers.emplace_back(name, static_cast<int64_t>(value));
  return options::oneOf(std::move(numbers));
}

/// Most plans for exhaustive search, which would take hours with more.
constexpr double kMostAssignments = 1e11;

/// Prints a result as lines of text: a name and its value, nested by
/// indentation.
void print(const Json& json, int indent) {
  for (const auto& [key, value] : json.items()) {
    std::cout << std::string(indent, ' ') << key;
    bool isNested = value.is_object() || (value.is_array() && !value.empty() &&
                                          value[0].is_object());
    if (isNested && value.is_object()) {
      std::cout << "\n";
      print(value, indent + 2);
    } else if (isNested) {
      std::cout << "\n";
      for (const Json& element : value)
        std::cout << std::string(indent + 2, ' ') << element.dump() << "\n";
    } else {
      int width = std::max<int>(2, 30 - indent - static_cast<int>(key.size()));
      std::cout << std::string(width, ' ') << value.dump() << "\n";
    }
  }
}

void addNodes(CLI::App& app, int64_t& nodes) {
  app.add_option("--nodes", nodes, "Number of devices, one per node")
      ->type_name("N")
      ->check(options::integerFrom(1, 1 << 20))
      ->capture_default_str();
}

/// Adds the options of experiments on dense layers.
void addDense(CLI::App& app, DenseLayers& layers) {
  addNodes(app, layers.nodes);
  app.add_option("--batch", layers.batch, "Samples per step")
      ->type_name("N")
      ->check(options::integerFrom(1))
      ->capture_default_str();
  app.add_option("--alpha", layers.alphaSeconds,
                 "Latency per round of a collective")
      ->type_name("SECONDS")
      ->check(options::notNegative())
      ->capture_default_str();
  app.add_option("--beta", layers.betaSecondsPerByte,
                 "Time per byte, the inverse of the bandwidth")
      ->type_name("SECONDS")
      ->check(options::positive())
      ->capture_default_str();
  app.add_option("--element-bytes", layers.elementBytes, "Size of an element")
      ->type_name("N")
      ->check(options::integerFrom(1))
      ->capture_default_str();
  app.add_option("--all-to-all-group", layers.exchangeGroup,
                 "Devices that take part in an all-to-all: all, or the "
                 "smallest group that can do it")
      ->type_name("all|smallest")
      ->transform(oneOf(kExchangeGroups))
      ->default_str("all");
}

void addSeed(CLI::App& app, SolverOptions& solver, const std::string& text) {
  app.add_option("--seed", solver.budget.seed, text)
      ->check(options::anyUnsigned())
      ->capture_default_str();
}

void addSolver(CLI::App& app, SolverOptions& solver) {
  solver.budget.evaluations = 10000;
  app.add_option("--solver", solver.solver,
                 "Solver: exhaustive or elimination, which prove their answer, "
                 "cd (coordinate descent), mh (Metropolis-Hastings) or random")
      ->type_name("NAME")
      ->transform(oneOf(kSolvers))
      ->default_str("elimination");
  app.add_option("--evaluations", solver.budget.evaluations,
                 "Number of plans that a heuristic may price")
      ->type_name("N")
      ->check(options::integerFrom(1))
      ->capture_default_str();
  addSeed(app, solver, "Seed of the heuristics");
}

class Lab {
 public:
  explicit Lab(const std::string& version) {
    app_.formatter(std::make_shared<options::HelpFormatter>());
    app_.set_version_flag("--version", version, "Print the version and exit");
    app_.require_subcommand(1);
    app_.add_flag("--json", isJson_, "Print one JSON object");
    app_.fallthrough();
    addMlp();
    addVgg();
    addTransformer();
    addAttention();
    addFigure8();
    addCfn();
    addMemory();
    addChimera();
    addVtrain();
    addSchedule();
    addChain();
    // The footer is set last, because subcommands inherit it.
    app_.footer(kFooter);
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& answer) {
      return app_.exit(answer);
    } catch (const CLI::RequiredError&) {
      // Only the subcommand is required.
      std::cerr << "error: " << text::printable(missingSubcommand()) << "\n";
      return 1;
    } catch (const CLI::Error& error) {
      std::cerr << "error: " << options::messageOf(error) << "\n";
      return 1;
    }
    if (!text_.empty())
      std::cout << text::printable(text_, "\n");
    else if (isJson_)
      std::cout << result_.dump(2) << "\n";
    else
      print(result_, 0);
    return 0;
  }

 private:
  /// Returns the error for a command line without a known subcommand.
  std::string missingSubcommand() const {
    std::string names;
    for (const CLI::App* app : app_.get_subcommands(nullptr))
      names += (names.empty() ? "" : ", ") + app->get_name();
    std::vector<std::string> unknown = app_.remaining();
    std::string there = "; there are " + names;
    if (unknown.empty()) return "a subcommand is needed" + there;
    if (unknown[0][0] == '-') return unknown[0] + " needs a subcommand" + there;
    return "there is no subcommand '" + unknown[0] + "'" + there;
  }

  /// Runs `experiment`, unless its solver would take too long.
  template <typename Settings>
  void solve(const Settings& settings, Json (*experiment)(const Settings&)) {
    if (settings.solver.solver == Solver::Exhaustive) {
      if (settings.chain().numPlans() > kMostAssignments)
        throw CLI::ValidationError(
            "--solver", "exhaustive would price " +
                            numPlansOf(settings.chain()).dump() +
                            " plans; elimination proves its answer too");
    }
    result_ = experiment(settings);
  }

  void addMlp() {
    mlp_.extents = {32768, 16384, 4096, 2048, 512};
    mlp_.nodes = 128;
    mlp_.batch = 1024;
    CLI::App& app =
        *app_.add_subcommand("mlp", "A chain of dense layers (figure 8's MLP)");
    options::addList(app, "--dims", mlp_.extents,
                     {',', 2, 1000, options::integerFrom(1)},
                     "Extents of the input and of each layer");
    app.footer(
        "Examples:\n"
        "  sbp-lab mlp --dims 32768,16384,4096,2048,512 --nodes 128 "
        "--batch 1024\n"
        "  sbp-lab mlp --nodes 128 --solver cd --evaluations 1000 --seed 3");
    addDense(app, mlp_);
    addSolver(app, mlp_.solver);
    app.add_option("--first-input", mlp_.firstInput,
                   "Cost of the first input: free, a gather in the forward "
                   "pass, or gather+scatter, also a scatter in the backward "
                   "pass")
        ->type_name("NAME")
        ->transform(oneOf(kFirstInputs))
        ->default_str("gather");
    app.add_option("--last-output", mlp_.lastOutput,
                   "Last output: it stays split, or is gathered")
        ->type_name("split|gather")
        ->transform(oneOf(kLastOutputs))
        ->default_str("split");
    app.final_callback([this] { solve(mlp_, dense); });
  }

  void addVgg() {
    vgg_.extents = {25088, 4096, 4096, 1000};
    vgg_.nodes = 32;
    vgg_.batch = 0;
    vgg_.firstInput = autoddl::FirstInput::SplitRows;
    CLI::App& app = *app_.add_subcommand(
        "vgg",
        "The dense layers of VGG13, after data-parallel convolutions (figure "
        "7), with a batch of 8 per node unless --batch is given");
    app.footer("Example:\n  sbp-lab vgg --nodes 32");
    addDense(app, vgg_);
    addSolver(app, vgg_.solver);
    app.final_callback([this] {
      if (vgg_.batch == 0) vgg_.batch = 8 * vgg_.nodes;
      solve(vgg_, dense);
    });
  }

  void addTransformer() {
    CLI::App& app = *app_.add_subcommand(
        "transformer",
        "Bytes that plans for a transformer move, in f32 with Adam (section "
        "5.2.3)");
    app.footer(
        "Example:\n"
        "  sbp-lab transformer --nodes 128 --layers 20 --hidden 8192 \\\n"
        "      --sequences 1024 --length 1024 --memory 16e9");
    addNodes(app, transformer_.nodes);
    auto add = [&](const char* name, int64_t& value, const char* text) {
      app.add_option(name, value, text)
          ->type_name("N")
          ->check(options::integerFrom(1))
          ->capture_default_str();
    };
    add("--layers", transformer_.layers, "Number of blocks");
    add("--hidden", transformer_.hidden, "Hidden size");
    add("--sequences", transformer_.sequences, "Sequences per step");
    add("--length", transformer_.length, "Tokens per sequence");
    add("--micro-batches", transformer_.microBatches,
        "Number of micro-batches into which a step is divided, to save memory. "
        "SUMMA moves the weights for each of them");
    app.add_option("--memory", transformer_.memoryBytes,
                   "Memory per device for weights, gradients and moments, such "
                   "as 16GB")
        ->type_name("BYTES")
        ->transform(options::bytes())
        ->capture_default_str();
    addSolver(app, transformer_.solver);
    app.final_callback([this] { solve(transformer_, transformer); });
  }

  void addAttention() {
    CLI::App& app = *app_.add_subcommand(
        "attention", "The forward pass of one attention layer (figure 3)");
    app.footer("Example:\n  sbp-lab attention --nodes 32");
    addNodes(app, attention_.nodes);
    auto add = [&](const char* name, int64_t& value, const char* text) {
      app.add_option(name, value, text)
          ->type_name("N")
          ->check(options::integerFrom(1))
          ->capture_default_str();
    };
    add("--hidden", attention_.hidden, "Hidden size");
    add("--tokens", attention_.tokens, "Tokens per step");
    add("--max-replication", attention_.maxReplication,
        "Number of copies of a weight that fit into the memory");
    addSolver(app, attention_.solver);
    app.final_callback([this] { solve(attention_, attention); });
  }

  void addFigure8() {
    figure8_.extents = {32768, 16384, 4096, 2048, 512};
    figure8_.nodes = 128;
    figure8_.batch = 1024;
    CLI::App& app = *app_.add_subcommand(
        "figure8",
        "The number of plans that heuristics price to come near the optimum "
        "(figure 8)");
    app.footer("Example:\n  sbp-lab figure8 --nodes 4096");
    addDense(app, figure8_);
    app.add_option("--runs", runs_, "Number of runs to average over")
        ->type_name("N")
        ->check(options::integerFrom(1))
        ->capture_default_str();
    app.add_option("--evaluations", evaluations_,
                   "Number of plans that each run prices")
        ->type_name("N")
        ->check(options::integerFrom(1))
        ->capture_default_str();
    addSeed(app, figure8_.solver, "Seed of the first run");
    app.final_callback(
        [this] { result_ = figure8(figure8_, runs_, evaluations_); });
  }

  void addMemory() {
    CLI::App& app = addMemoryCommand(app_, memory_);
    app.final_callback([this] {
      std::string error;
      result_ = trainingMemory(memory_, error);
      if (!error.empty()) throw CLI::ValidationError("memory", error);
    });
  }

  void addChimera() {
    CLI::App& app = addChimeraCommand(app_, chimera_);
    app.final_callback([this] {
      std::string error;
      result_ = chimeraChoice(chimera_, error);
      if (!error.empty()) throw CLI::ValidationError("chimera", error);
    });
  }

  void addVtrain() {
    CLI::App& app = vtrain::addVtrainCommand(app_, vtrain_);
    app.final_callback([this] {
      absl::StatusOr<Json> result = vtrain::validate(vtrain_);
      if (!result.ok())
        throw CLI::ValidationError("vtrain", textOf(result.status()));
      result_ = *std::move(result);
    });
  }

  void addCfn() {
    CLI::App& app = *app_.add_subcommand(
        "cfn",
        "The optimum of a cost function network in toulbar2's format, by "
        "elimination");
    app.footer(
        "Example:\n"
        "  sbpc explain gpt.mlir -n 4 --dump-problem gpt.cfn\n"
        "  sbp-lab cfn gpt.cfn");
    app.add_option("file", problemPath_,
                   "Problem that sbpc explain --dump-problem has written")
        ->type_name("FILE");
    app.final_callback([this] {
      if (problemPath_.empty())
        throw CLI::ValidationError("cfn", "which FILE?");
      absl::StatusOr<Json> result = problemFile(problemPath_);
      if (!result.ok())
        throw CLI::ValidationError("cfn", textOf(result.status()));
      result_ = *std::move(result);
    });
  }

  void addSchedule() {
    CLI::App& app = schedule::lab::addSubcommand(app_, schedule_);
    app.final_callback([this] {
      if (schedule_.wantsCsv && isJson_)
        throw CLI::ValidationError("schedule",
                                   "--csv and --json are two forms of the "
                                   "answer; one of them can be given");
      using Form = schedule::lab::Form;
      absl::StatusOr<std::string> report = schedule::lab::reportOf(
          schedule_.request, isJson_              ? Form::Json
                             : schedule_.wantsCsv ? Form::Csv
                                                  : Form::Text);
      if (!report.ok())
        throw CLI::ValidationError("schedule", textOf(report.status()));
      text_ = *std::move(report);
    });
  }

  void addChain() {
    CLI::App& app = addChainCommand(app_, chain_);
    app.final_callback([this] {
      absl::StatusOr<std::string> report = chainReport(chain_, isJson_);
      if (!report.ok())
        throw CLI::ValidationError("chain", textOf(report.status()));
      text_ = *std::move(report);
    });
  }

  CLI::App app_{kOverview, "sbp-lab"};
  bool isJson_ = false;
  DenseLayers mlp_, vgg_, figure8_;
  Transformer transformer_;
  Attention attention_;
  TrainingMemory memory_;
  schedule::lab::ChimeraSettings chimera_;
  vtrain::VtrainOptions vtrain_;
  int64_t runs_ = 10;
  int64_t evaluations_ = 1 << 14;
  std::string problemPath_;
  schedule::lab::Options schedule_;
  ChainRequest chain_;
  Json result_;
  std::string text_;  // printed instead of result_ if not empty
};

}  // namespace

int labMain(int argc, char** argv, const std::string& version) {
  // Searches allocate and free vectors of megabytes all the time. These shall
  // come from the heap and stay there: the kernel would zero each of their
  // pages again.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  return Lab(version).run(argc, argv);
}

}  // namespace sbp::search::lab
