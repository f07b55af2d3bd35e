#include "codegen/interpreter/tool/InterpretMain.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "codegen/cpu/Target.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/RankGrid.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "codegen/interpreter/kernels/KernelEvaluator.h"
#include "codegen/interpreter/tool/Inputs.h"
#include "codegen/plugin/PluginOptions.h"
#include "codegen/plugin/Plugins.h"
#include "dialects/Dialects.h"
#include "dialects/nn/EntryNames.h"
#include "dialects/rank/Rank.h"
#include "dialects/text/People.h"
#include "dialects/text/ReadModule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Forms.h"
#include "passes/inputs/Passes.h"
#include "runtime/main/EntryNames.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"

namespace sbp::interpreter {
namespace {

constexpr char kFooter[] = R"(
Examples:
  sbp-interpret mlp.mlir --entry loss --input x=x.npy --input t=t.npy
  sbp-interpret mlp.mlir --entry train_step --random-inputs --fill lr=0.1 --times 3
  sbp-opt mlp.mlir --sbp-place ... | sbp-interpret - --entry loss --random-inputs

A program on whole tensors is interpreted as one device, whatever its placements. A
program in the local form (rank.program) is interpreted with a thread per rank, each of
which gets its parts of the inputs. Both must give the same results. An op of a plug-in
is run by its kernel for CPUs.
)";

struct Options {
  std::string path;
  std::string entry;  // empty: chosen
  std::vector<std::string> plugins;
  InputOptions inputs;
  int64_t times = 1;
  bool isJson = false;
};

/// A module that is run: on one device, or on a grid of ranks.
class Program {
 public:
  static FailureOr<Program> create(ModuleOp module, uint64_t seed) {
    const FailureOr<cpu::Target> host =
        cpu::lookUpTarget("host", [&] { return module.emitError(); });
    if (failed(host)) return failure();
    Program program(module, *host);
    if (module.getOps<rank::ProgramOp>().empty()) {
      program.parameters_ = initialParameters(module, seed);
      return program;
    }
    FailureOr<RankGrid> grid = RankGrid::create(module, program.evaluators_);
    if (failed(grid) || failed(grid->initializeParameters(seed)))
      return failure();
    program.grid_.emplace(std::move(*grid));
    return program;
  }

  /// Returns the names of the entries: of the public functions.
  FailureOr<std::vector<std::string>> entryNames() {
    if (grid_) return grid_->entryNames();
    std::vector<std::string> names;
    for (auto function : module_.getOps<mlir::func::FuncOp>())
      if (function.isPublic()) names.push_back(function.getName().str());
    return names;
  }

  /// Returns the function `name`, with whole types if there are ranks.
  FailureOr<mlir::func::FuncOp> entry(StringRef name) {
    if (grid_) return grid_->wholeEntry(name);
    auto function = llvm::dyn_cast_if_present<mlir::func::FuncOp>(
        mlir::SymbolTable::lookupSymbolIn(module_, name));
    if (function) return function;
    return module_.emitError() << "there is no function '" << name << "' here";
  }

  FailureOr<Results> run(StringRef entry, ArrayRef<Tensor> arguments) {
    if (grid_) return grid_->runWhole(entry, arguments);
    return Interpreter(module_, evaluators_, parameters_).run(entry, arguments);
  }

 private:
  Program(ModuleOp module, const cpu::Target& host)
      : module_(module), kernels_(std::make_unique<KernelEvaluator>(host)) {
    // Ops of plug-ins.
    evaluators_.addForOthers(
        [kernels = kernels_.get()](Operation* op, ArrayRef<Tensor> operands) {
          return kernels->evaluate(op, operands);
        });
  }

  ModuleOp module_;
  std::unique_ptr<KernelEvaluator> kernels_;
  Evaluators evaluators_ = standardEvaluators();
  Parameters parameters_;
  std::optional<RankGrid> grid_;
};

/// Returns nested lists of numbers. Numbers that are not finite are printed as
/// null.
nlohmann::json toJson(const Tensor& tensor, int64_t dim, int64_t& next) {
  if (dim == tensor.rank()) {
    int64_t index = next++;
    if (tensor.isFloat()) return tensor.floats()[index];
    return tensor.integers()[index];
  }
  nlohmann::json list = nlohmann::json::array();
  for (int64_t index = 0; index < tensor.shape()[dim]; ++index)
    list.push_back(toJson(tensor, dim + 1, next));
  return list;
}

void print(mlir::func::FuncOp function, ArrayRef<Tensor> results, bool isJson) {
  nlohmann::ordered_json object;
  for (auto [index, result] : llvm::enumerate(results)) {
    const std::string name =
        nn::outputName(function.getResultAttrDict(index), index);
    int64_t next = 0;
    if (isJson)
      object[name] = toJson(result, 0, next);
    else
      peopleOut() << name << ": " << result.type() << " = " << result.str()
                  << "\n";
  }
  if (isJson) llvm::outs() << object.dump() << "\n";
}

/// Fails if the compiler would refuse the program too, and annotates its
/// entries with the range of integers that each input takes.
LogicalResult prepare(ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(createVerifyTensors());
  passes.addPass(createBoundInputs());
  return passes.run(module);
}

/// Returns the entry to run: `given`, or if that is empty, the training step or
/// the only entry.
FailureOr<std::string> chooseEntry(ModuleOp module, Program& program,
                                   const std::string& given) {
  if (!given.empty()) return given;
  FailureOr<std::vector<std::string>> names = program.entryNames();
  if (failed(names)) return failure();
  for (const std::string& name : *names)
    if (name == program::kTrainEntry || names->size() == 1) return name;
  if (names->empty())
    return module.emitError() << "the module has no entry to run";
  return module.emitError() << "which entry? --entry NAME, with one of: "
                            << llvm::join(*names, ", ");
}

LogicalResult interpret(const Options& options, ModuleOp module) {
  auto program = Program::create(module, options.inputs.seed);
  if (failed(program)) return failure();
  FailureOr<std::string> entry = chooseEntry(module, *program, options.entry);
  if (failed(entry)) return failure();
  auto function = program->entry(*entry);
  if (failed(function)) return failure();
  std::vector<RankedTensorType> types;
  for (Type type : function->getArgumentTypes())
    types.push_back(withPlacement(llvm::cast<RankedTensorType>(type), nullptr));
  auto inputs = readInputs(*function, types, options.inputs);
  if (failed(inputs)) return failure();
  for (int64_t time = 0; time < options.times; ++time) {
    FailureOr<Results> results = program->run(*entry, *inputs);
    if (failed(results)) return failure();
    print(*function, *results, options.isJson);
  }
  return success();
}

}  // namespace

int interpretMain(int argc, char** argv, const std::string& version) {
  Options options;
  CLI::App app(
      "sbp-interpret runs a function of a program without compiling it. It is "
      "slow, and\nserves as the reference for compiled programs.",
      "sbp-interpret");
  app.formatter(std::make_shared<options::HelpFormatter>());
  app.footer(kFooter);
  app.set_version_flag("--version", version, "Print the version and exit");
  app.add_option("program", options.path,
                 "Program in any form up to the local one; - reads it from "
                 "standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("--entry", options.entry,
                 "Function to run (the training step, or the only entry)")
      ->type_name("NAME");
  app.add_option("--input", options.inputs.files,
                 "Read an input from a .npy file. May be repeated")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  app.add_option("--fill", options.inputs.fills,
                 "Set all elements of an input to one number. May be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  app.add_flag("--random-inputs", options.inputs.areOthersRandom,
               "Draw all other inputs at random: floats from the normal "
               "distribution, integers from 0 to below --integers-below");
  app.add_option("--integers-below", options.inputs.integerBound,
                 "Bound of random integers")
      ->type_name("N")
      ->check(options::integerFrom(1))
      ->capture_default_str();
  app.add_option("--seed", options.inputs.seed,
                 "Seed of random inputs and of initial parameters")
      ->type_name("N")
      ->check(options::anyUnsigned())
      ->capture_default_str();
  app.add_option("--times", options.times,
                 "Number of runs. Each starts from the parameters that the run "
                 "before has set")
      ->type_name("N")
      ->check(options::integerFrom(1))
      ->capture_default_str();
  app.add_flag("--json", options.isJson, "Print one JSON object per run");
  plugin::addPluginOption(app, options.plugins);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    peopleErr() << "error: " << options::messageOf(error) << "\n";
    return 1;
  }

  mlir::DialectRegistry registry;
  registerDialects(registry);
  plugin::Plugins plugins("sbp-interpret", registry);
  if (!plugin::loadPlugins(options.plugins, plugins)) return 1;
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context, peopleErr());
  mlir::OwningOpRef<ModuleOp> module =
      readModule(options.path, sources, &context);
  if (!module || failed(prepare(*module)) ||
      failed(interpret(options, *module)))
    return 1;
  return 0;
}

}  // namespace sbp::interpreter
