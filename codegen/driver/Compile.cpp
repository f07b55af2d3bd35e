#include "codegen/driver/Compile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/CutModel.h"
#include "codegen/driver/FitMemory.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/Summary.h"
#include "codegen/driver/WriteText.h"
#include "codegen/plan/BuildPlan.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/names/Spelling.h"
#include "passes/placement/Target.h"
#include "passes/search/SearchRun.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/Plan.h"
#include "runtime/proof/Proof.h"

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

/// Fails if the output cannot be written, or would replace what it is made
/// from.
LogicalResult checkOutput(mlir::MLIRContext* context,
                          const CompileOptions& options) {
  const bool isText = options.output.emit != Emit::Executable;
  if (options.output.path == "-" || (isText && isDevice(options.output.path)))
    return success();
  for (const std::string& input :
       {options.source.path, options.source.machinePath})
    if (llvm::sys::fs::equivalent(input, options.output.path))
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "the output " << options.output.path
             << " would replace the input " << input
             << "; -o FILE says where else it goes";
  return reportError(context, file::checkWritable(options.output.path));
}

/// Brings the module to the form that is to be emitted, or to the local one,
/// and writes the forms on the way to the folder that wants them. If there is
/// to be a summary, predicts the time of what it makes.
LogicalResult lowerForms(mlir::ModuleOp module, const CompileOptions& options,
                         PipelineOptions pipeline, Stopwatch& stopwatch,
                         std::optional<PredictedTime>& predicted) {
  pipeline.spellsNames = true;
  mlir::MLIRContext* context = module.getContext();
  if (!options.output.formsFolder.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(
            options.output.formsFolder, /*IgnoreExisting=*/true,
            llvm::sys::fs::perms::all_all))
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "cannot make the folder " << options.output.formsFolder << ": "
             << error.message();

  // The model may be in any form; what comes before it is not to be had.
  const Form given = formOf(module);
  if (options.output.emit < emitOf(given))
    return mlir::emitError(module.getLoc())
           << "the model is in the " << stringOf(given)
           << " form already, so it has no "
           << stringOf(kForms[static_cast<int>(options.output.emit)].form)
           << " one to emit";

  if (failed(checkOptions(module, pipeline))) return failure();

  int number = 0;
  for (const EmittedForm& form : kForms) {
    ++number;
    if (form.form < given) continue;
    mlir::PassManager passes(module.getContext());
    addPassesTo(form.form, pipeline, passes);
    if (failed(passes.run(module))) return failure();
    if (options.hasSummary && form.form == Form::Boxed)
      predicted = predictTime(module, pipeline.mesh);
    stopwatch.lap(stringOf(form.form));
    const std::string file =
        llvm::formatv("{0}-{1}.mlir", number, stringOf(form.form)).str();
    if (!options.output.formsFolder.empty() &&
        failed(writeForm(context, options.output, file, textOf(module))))
      return failure();
    if (form.emit == options.output.emit) break;
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
/// devices that cannot run its code, which is for devices of `kind`, and if it
/// would have to be another one there.
void warnOfOtherDevices(mlir::ModuleOp module, const plan::Plan& plan,
                        DeviceKind kind) {
  rank::ProgramOp program = *module.getOps<rank::ProgramOp>().begin();
  MachineOp machine = lookupMachine(program, program.getMeshAttr());
  if (!machine || !machine.getDevice() ||
      machine.getDevice()->getKind() == kind)
    return;
  if (kind == DeviceKind::Gpu) {
    machine.emitWarning()
        << "the devices of @" << machine.getSymName()
        << " are CPUs: the program is laid out for them, but its kernels are "
           "for GPUs";
    return;
  }
  machine.emitWarning()
      << "the devices of @" << machine.getSymName()
      << " are GPUs: the program is laid out for them, but runs on CPUs; "
         "--target cuda makes kernels for GPUs";
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

}  // namespace

LogicalResult compile(const CompileOptions& options) {
  Stopwatch stopwatch(options.isVerbose);
  std::unique_ptr<ModelContext> modelContext = ModelContext::create(
      options.dialectPlugins, [&](mlir::DialectRegistry& registry) {
        Backend::registerKernels(options.backend.kind, registry);
      });
  if (!modelContext) return failure();
  mlir::MLIRContext& context = modelContext->get();
  mlir::FailureOr<std::unique_ptr<Backend>> created =
      Backend::create(options.backend, context);
  if (failed(created) ||
      failed((*created)->check(options.output.emit, context)))
    return failure();
  Backend& backend = **created;

  mlir::OwningOpRef<mlir::ModuleOp> module =
      loadModel(*modelContext, options.source,
                [&](mlir::ModuleOp module, int64_t numRanks) {
                  backend.addMachine(module, numRanks);
                });
  // The output before the work, not after it.
  if (!module || failed(checkOutput(&context, options))) return failure();
  stopwatch.lap("read");
  if (failed(cutModel(*module, options.cut, options.pipeline)))
    return failure();
  if (options.cut.stages > 0) stopwatch.lap("stages");
  const bool isSearched = options.pipeline.placeBy == PlaceBy::Search &&
                          formOf(*module) < Form::Placed &&
                          options.output.emit >= Emit::Placed;
  const double memoryBytes = memoryOf(*module, options.pipeline);
  const bool isLimited = isSearched && std::isfinite(memoryBytes);
  plan::Plan plan;
  std::optional<PredictedTime> predicted;
  auto lower = [&](const PipelineOptions& pipeline)
      -> mlir::FailureOr<std::optional<double>> {
    if (failed(lowerForms(*module, options, pipeline, stopwatch, predicted)))
      return failure();
    if (options.output.emit <= Emit::Local)
      return isLimited ? arenaBytesOf(*module, backend.target(), memoryBytes)
                       : std::nullopt;
    mlir::FailureOr<plan::Plan> built =
        buildPlan(*module, *module->getName(), backend.startKernels(context));
    if (failed(built)) return failure();
    plan = std::move(*built);
    plan.compiler = options.compiler;
    if (failed(writeForm(&context, options.output, "6-plan.json",
                         plan::toJson(plan) + "\n")))
      return failure();
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
            attempt,
            [&] { return largestArenaOf(*module, backend.target()); })))
      return failure();
  } else if (failed(lower(options.pipeline))) {
    return failure();
  }
  if (options.output.emit <= Emit::Local)
    return writeText(&context, options.output.path, textOf(*module));
  stopwatch.lap("plan");
  if (options.output.emit == Emit::Plan)
    return writeText(&context, options.output.path, plan::toJson(plan) + "\n");

  warnOfOtherDevices(*module, plan, backend.kind());
  if (failed(backend.writeCode(plan, options.output, stopwatch)))
    return failure();
  if (options.hasSummary && options.output.emit == Emit::Executable)
    llvm::errs() << summaryOf(plan, options.output.path, predicted);
  return success();
}

}  // namespace sbp
