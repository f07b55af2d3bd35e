#include "codegen/interpreter/tool/InterpretMain.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/RankGrid.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "codegen/interpreter/tool/Inputs.h"
#include "dialects/Dialects.h"
#include "dialects/rank/Rank.h"
#include "dialects/text/ReadModule.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Forms.h"
#include "passes/inputs/Passes.h"
#include "runtime/options/Checks.h"

namespace sbp::interpreter {
namespace {

constexpr char kFooter[] = R"(
Examples:
  sbp-interpret mlp.mlir --entry loss --input x=x.npy --input t=t.npy
  sbp-interpret mlp.mlir --entry train_step --random-inputs --fill lr=0.1 --times 3
  sbp-opt mlp.mlir --sbp-place ... | sbp-interpret - --entry loss --random-inputs

A program of whole tensors runs on one device, whatever its placements; one that
is split over ranks (rank.program) runs with a thread per rank, on inputs that
are cut for it. Both give the same results: that is what it is for.
)";

struct Options {
  std::string path;
  std::string entry;
  InputOptions inputs;
  int64_t times = 1;
  bool isJson = false;
};

/// A module that is run: on one device, or on a grid of ranks.
class Program {
 public:
  static FailureOr<Program> create(ModuleOp module, uint64_t seed) {
    Program program(module);
    if (module.getOps<rank::ProgramOp>().empty()) {
      program.parameters_ = initialParameters(module, seed);
      return program;
    }
    FailureOr<RankGrid> grid = RankGrid::create(module, standardEvaluators());
    if (failed(grid) || failed(grid->initializeParameters(seed)))
      return failure();
    program.grid_.emplace(std::move(*grid));
    return program;
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
  explicit Program(ModuleOp module) : module_(module) {}

  ModuleOp module_;
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
    std::string name = outputName(function, index);
    int64_t next = 0;
    if (isJson)
      object[name] = toJson(result, 0, next);
    else
      llvm::outs() << name << ": " << result.type() << " = " << result.str()
                   << "\n";
  }
  if (isJson) llvm::outs() << object.dump() << "\n";
}

/// Fails at a program that the compiler would not take either, and annotates
/// its entries with the range of integers that each input takes.
LogicalResult prepare(ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(createVerifyTensors());
  passes.addPass(createBoundInputs());
  return passes.run(module);
}

LogicalResult interpret(const Options& options, ModuleOp module) {
  auto program = Program::create(module, options.inputs.seed);
  if (failed(program)) return failure();
  auto function = program->entry(options.entry);
  if (failed(function)) return failure();
  std::vector<RankedTensorType> types;
  for (Type type : function->getArgumentTypes())
    types.push_back(withPlacement(llvm::cast<RankedTensorType>(type), nullptr));
  auto inputs = readInputs(*function, types, options.inputs);
  if (failed(inputs)) return failure();
  for (int64_t time = 0; time < options.times; ++time) {
    FailureOr<Results> results = program->run(options.entry, *inputs);
    if (failed(results)) return failure();
    print(*function, *results, options.isJson);
  }
  return success();
}

}  // namespace

int interpretMain(int argc, char** argv, const std::string& version) {
  Options options;
  CLI::App app(
      "sbp-interpret runs a function of a program without compiling it: "
      "slowly, "
      "and right.");
  app.footer(kFooter);
  app.set_version_flag("--version", version,
                       "Says which sbp-interpret this is");
  app.add_option("program", options.path,
                 "A program in any form of whole tensors, or the local form; - "
                 "reads standard input")
      ->required();
  app.add_option("--entry", options.entry, "The function to run")->required();
  app.add_option("--input", options.inputs.files,
                 "NAME=FILE.npy: an input from a file");
  app.add_option("--fill", options.inputs.fills,
                 "NAME=NUMBER: an input that is one number everywhere");
  app.add_flag("--random-inputs", options.inputs.areOthersRandom,
               "Draws all other inputs: floats from the normal distribution, "
               "integers from [0, --integers-below)");
  app.add_option("--integers-below", options.inputs.integerBound,
                 "The bound of random integers")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.inputs.seed,
                 "The seed of random inputs and of parameters")
      ->check(options::anyUnsigned())
      ->capture_default_str();
  app.add_option("--times", options.times,
                 "How often to run; parameters keep what they are set to")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--json", options.isJson, "Prints one JSON object per run");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    llvm::errs() << "error: " << options::messageOf(error) << "\n";
    return 1;
  }

  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  mlir::OwningOpRef<ModuleOp> module =
      readModule(options.path, sources, &context);
  if (!module || failed(prepare(*module)) ||
      failed(interpret(options, *module)))
    return 1;
  return 0;
}

}  // namespace sbp::interpreter
