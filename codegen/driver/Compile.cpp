#include "codegen/driver/Compile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/cpu/EmitObject.h"
#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/KernelMemory.h"
#include "codegen/cpu/LinkExecutable.h"
#include "codegen/cpu/LowerToLlvm.h"
#include "codegen/cpu/ProgramTable.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/CutModel.h"
#include "codegen/driver/FitMemory.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/WriteText.h"
#include "codegen/plan/BuildPlan.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/placement/Target.h"
#include "passes/search/SearchRun.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/Plan.h"
#include "runtime/proof/Proof.h"

extern "C" const char sbp_runtime_begin[], sbp_runtime_end[];

namespace sbp {
namespace {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

struct EmittedForm {
  Form form;
  Emit emit;
};

constexpr EmittedForm kForms[] = {
    {Form::Logical, Emit::Logical},
    {Form::Differentiated, Emit::Differentiated},
    {Form::Placed, Emit::Placed},
    {Form::Boxed, Emit::Boxed},
    {Form::Local, Emit::Local},
};

Emit emitOf(Form form) { return kForms[static_cast<int>(form)].emit; }

/// Says how long each part of a compilation takes, when asked to.
class Stopwatch {
 public:
  explicit Stopwatch(bool isVerbose) : isVerbose_(isVerbose) {}

  void lap(llvm::StringRef what) {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> seconds = now - last_;
    last_ = now;
    if (isVerbose_)
      llvm::errs() << llvm::formatv("{0,8:f3} s  {1}\n", seconds.count(), what);
  }

 private:
  bool isVerbose_;
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

/// Fails if the output cannot be written, or would replace what it is made
/// from.
LogicalResult checkOutput(mlir::MLIRContext* context,
                          const CompileOptions& options) {
  if (options.outputPath == "-") return success();
  for (const std::string& input :
       {options.source.path, options.source.machinePath})
    if (llvm::sys::fs::equivalent(input, options.outputPath))
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "the output " << options.outputPath
             << " would replace the input " << input
             << "; -o FILE says where else it goes";
  return reportError(context, file::checkWritable(options.outputPath));
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

/// Brings the module to the form that is to be emitted, or to the local one,
/// and writes the forms on the way to the folder that wants them.
LogicalResult lowerForms(mlir::ModuleOp module, const CompileOptions& options,
                         const PipelineOptions& pipeline,
                         Stopwatch& stopwatch) {
  mlir::MLIRContext* context = module.getContext();
  if (!options.formsFolder.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(
            options.formsFolder, /*IgnoreExisting=*/true,
            llvm::sys::fs::perms::all_all))
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "cannot make the folder " << options.formsFolder << ": "
             << error.message();

  // The model may be in any form; what comes before it is not to be had.
  const Form given = formOf(module);
  if (options.emit < emitOf(given))
    return mlir::emitError(module.getLoc())
           << "the model is in the " << stringOf(given)
           << " form already, so it has no "
           << stringOf(kForms[static_cast<int>(options.emit)].form)
           << " one to emit";

  if (failed(checkOptions(module, pipeline))) return failure();

  int number = 0;
  for (const EmittedForm& form : kForms) {
    ++number;
    if (form.form < given) continue;
    mlir::PassManager passes(module.getContext());
    addPassesTo(form.form, pipeline, passes);
    if (failed(passes.run(module))) return failure();
    stopwatch.lap(stringOf(form.form));
    if (!options.formsFolder.empty()) {
      llvm::SmallString<128> path(options.formsFolder);
      llvm::sys::path::append(
          path,
          llvm::formatv("{0}-{1}.mlir", number, stringOf(form.form)).str());
      if (failed(writeText(context, path.str().str(), textOf(module))))
        return failure();
    }
    if (form.emit == options.emit) break;
  }
  return success();
}

/// What a device of `module` has; infinite where nobody says.
double memoryOf(mlir::ModuleOp module, const PipelineOptions& options) {
  if (options.memoryBytes > 0) return options.memoryBytes;
  // If there is no target, the passes say so.
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  mlir::FailureOr<Target> target = chooseTarget(module, options.mesh);
  return succeeded(target) && target->device
             ? target->device->memoryBytes
             : std::numeric_limits<double>::infinity();
}

/// Warns if `module`, a local program whose plan is `plan`, is laid out for
/// devices that cannot run its code, and if it would have to be another one
/// there.
void warnOfOtherDevices(mlir::ModuleOp module, const plan::Plan& plan) {
  rank::ProgramOp program = *module.getOps<rank::ProgramOp>().begin();
  MachineOp machine = lookupMachine(program, program.getMeshAttr());
  if (!machine || !machine.getDevice() ||
      machine.getDevice()->getKind() == DeviceKind::Cpu)
    return;
  machine.emitWarning()
      << "the devices of @" << machine.getSymName()
      << " are GPUs, for which no code can be made: the program is laid out "
         "for them, but runs on CPUs";
  if (absl::Status status = proof::proveInOrder(plan); !status.ok())
    machine.emitWarning()
        << "messages between two GPUs go in order, as NCCL has them, and here "
           "they cannot; in "
        << llvm::StringRef(status.message().data(), status.message().size());
}

/// The bytes of the largest arena.
double arenaBytesOf(const plan::Plan& plan) {
  int64_t most = 0;
  for (const plan::Program& program : plan.programs)
    for (const plan::EntryProgram& entry : program.entries)
      most = std::max(most, entry.arenaBytes);
  return static_cast<double>(most);
}

cpu::OutputKind outputKind(Emit emit) {
  switch (emit) {
    case Emit::Llvm:
      return cpu::OutputKind::kLlvm;
    case Emit::Assembly:
      return cpu::OutputKind::kAssembly;
    default:
      return cpu::OutputKind::kObject;
  }
}

/// The runtime, which the compiler carries.
llvm::StringRef runtimeObject() {
  return llvm::StringRef(sbp_runtime_begin,
                         sbp_runtime_end - sbp_runtime_begin);
}

}  // namespace

LogicalResult compile(const CompileOptions& options) {
  Stopwatch stopwatch(options.isVerbose);
  std::unique_ptr<ModelContext> modelContext =
      ModelContext::create(options.dialectPlugins, cpu::registerNnKernels);
  if (!modelContext) return failure();
  mlir::MLIRContext& context = modelContext->get();

  // About the command, not about a line of the model.
  auto emitError = [&] {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  };
  mlir::FailureOr<cpu::Target> target =
      cpu::lookUpTarget(options.cpu, emitError);
  if (failed(target)) return failure();
  cpu::addKernelMemory(context, *target);

  mlir::OwningOpRef<mlir::ModuleOp> module = loadModel(context, options.source);
  // The output before the work, not after it.
  if (!module || failed(checkOutput(&context, options))) return failure();
  stopwatch.lap("read");
  if (failed(cutModel(*module, options.cut, options.pipeline)))
    return failure();
  if (options.cut.stages > 0) stopwatch.lap("stages");
  const bool isSearched = options.pipeline.placeBy == PlaceBy::Search &&
                          formOf(*module) < Form::Placed &&
                          options.emit >= Emit::Placed;
  const double memoryBytes = memoryOf(*module, options.pipeline);
  const bool isLimited = isSearched && std::isfinite(memoryBytes);
  std::optional<cpu::KernelLibrary> kernels;
  plan::Plan plan;
  auto lower = [&](const PipelineOptions& pipeline)
      -> mlir::FailureOr<std::optional<double>> {
    if (failed(lowerForms(*module, options, pipeline, stopwatch)))
      return failure();
    if (options.emit <= Emit::Local)
      return isLimited ? arenaBytesOf(*module, *target, memoryBytes)
                       : std::nullopt;
    kernels.emplace(&context, *target);
    mlir::FailureOr<plan::Plan> built =
        buildPlan(*module, *module->getName(), *kernels);
    if (failed(built)) return failure();
    plan = std::move(*built);
    plan.compiler = options.compiler;
    return std::optional(arenaBytesOf(plan));
  };
  if (isLimited) {
    const search::SearchRun searches({options.pipeline.searchSeconds});
    mlir::OwningOpRef<mlir::ModuleOp> given = std::move(module);
    auto attempt = [&](const PlanQuestion& question) {
      module = given->clone();
      const PipelineOptions pipeline =
          optionsFor(question, searches, options.pipeline);
      return lower(pipeline);
    };
    if (failed(searchUntilItFits(
            given->getLoc(), {memoryBytes, options.pipeline.microBatches},
            attempt, [&] { return largestArenaOf(*module, *target); })))
      return failure();
  } else if (failed(lower(options.pipeline))) {
    return failure();
  }
  if (options.emit <= Emit::Local)
    return writeText(&context, options.outputPath, textOf(*module));
  stopwatch.lap("plan");
  if (options.emit == Emit::Plan)
    return writeText(&context, options.outputPath, plan::toJson(plan) + "\n");

  warnOfOtherDevices(*module, plan);
  mlir::ModuleOp code = kernels->module();
  if (failed(cpu::lowerToLlvm(code, *target))) return failure();
  cpu::defineProgramTable(code, plan::toJson(plan), kernels->kernelNames());
  stopwatch.lap("lower kernels");
  if (options.emit != Emit::Executable) {
    mlir::FailureOr<std::string> bytes =
        cpu::emit(code, *target, outputKind(options.emit));
    if (failed(bytes)) return failure();
    stopwatch.lap("generate code");
    return writeText(&context, options.outputPath, *bytes);
  }
  mlir::FailureOr<std::vector<std::string>> objects =
      cpu::emitObjects(code, *target);
  if (failed(objects)) return failure();
  stopwatch.lap("generate code");
  std::vector<cpu::ObjectBytes> linkedObjects;
  for (const std::string& object : *objects)
    linkedObjects.push_back({"program.o", object});
  linkedObjects.push_back({"runtime.o", runtimeObject()});
  LogicalResult linked =
      cpu::linkExecutable(linkedObjects, options.outputPath, emitError);
  stopwatch.lap("link");
  return linked;
}

}  // namespace sbp
