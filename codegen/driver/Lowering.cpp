#include "codegen/driver/Lowering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/UnplacedModel.h"
#include "codegen/driver/WriteText.h"
#include "codegen/fuse/FuseElementwise.h"
#include "codegen/plan/BuildPlan.h"
#include "dialects/sbp/MicroBatchesMark.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/module/TrainedEntry.h"
#include "passes/names/Spelling.h"
#include "passes/placement/Target.h"
#include "passes/stages/Passes.h"

namespace sbp {

using mlir::success;

namespace {

// The first kinds of output are the forms, in their order.
static_assert(static_cast<int>(Emit::Local) == static_cast<int>(Form::Local));

Form lastForm(Emit emit) {
  return emit < Emit::Local ? static_cast<Form>(emit) : Form::Local;
}

/// Writes the schedule and the micro-batches of `options` into `module`, which
/// is in the logical form, so that its text makes the same program without the
/// options.
LogicalResult writeOptionsInto(ModuleOp module,
                               const PipelineOptions& options) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(createScheduleStages(options.schedule));
  if (failed(passes.run(module))) return failure();
  mlir::func::FuncOp entry = trainedEntryOf(module);
  if (entry && options.differentiate.microBatches > 0 &&
      module.getOps<ScheduleOp>().empty())
    markMicroBatches(entry, options.differentiate.microBatches);
  return success();
}

/// Returns the bytes of the largest arena of any rank and entry.
double largestArenaOf(const plan::Plan& plan) {
  int64_t most = 0;
  for (const plan::Program& program : plan.programs)
    for (const plan::EntryProgram& entry : program.entries)
      most = std::max(most, entry.arenaBytes);
  return static_cast<double>(most);
}

}  // namespace

Lowering::Lowering(const CompileOptions& options, Backend& backend,
                   const plugin::Plugins& plugins, Stopwatch& stopwatch)
    : options_(options),
      pipeline_(options.pipeline),
      last_(lastForm(options.output.emit)),
      backend_(backend),
      plugins_(plugins),
      stopwatch_(stopwatch),
      taskForms_(options.output) {
  pipeline_.spellsNames = true;
}

LogicalResult Lowering::run(mlir::OwningOpRef<ModuleOp>& module) {
  if (failed(checkForms(*module))) return failure();
  const Form given = formOf(*module);
  const double memoryBytes = memoryOf(*module);
  if (last_ == Form::Logical)
    return failure(failed(checkOptions(*module, pipeline_)) ||
                   failed(bringTo(last_, *module, pipeline_, std::nullopt)) ||
                   failed(writeOptionsInto(*module, pipeline_)));
  if (pipeline_.place.placeBy == PlaceBy::Search && given < Form::Placed &&
      last_ >= Form::Placed && std::isfinite(memoryBytes))
    return runWithin(module, memoryBytes);
  if (failed(checkOptions(*module, pipeline_)) ||
      failed(bringTo(given, *module, pipeline_, std::nullopt)) ||
      failed(bringFurther(*module, pipeline_, given)))
    return failure();
  return makePlan(*module);
}

LogicalResult Lowering::checkForms(ModuleOp module) const {
  const Form given = formOf(module);
  if (last_ < given)
    return mlir::emitError(module.getLoc())
           << "the model is in the " << stringOf(given)
           << " form already, so it has no " << stringOf(last_)
           << " one to emit";
  const std::string& folder = options_.output.formsFolder;
  return folder.empty() ? success() : makeFolder(module.getContext(), folder);
}

LogicalResult Lowering::runWithin(mlir::OwningOpRef<ModuleOp>& module,
                                  double memoryBytes) {
  UnplacedModel unplaced(std::move(module), pipeline_);
  FailureOr<ModuleOp> form = unplaced.logical();
  if (failed(form) || failed(endForm(Form::Logical, *form))) return failure();
  form = unplaced.differentiated();
  if (failed(form) || failed(endForm(Form::Differentiated, *form)))
    return failure();
  auto place =
      [&](mlir::OwningOpRef<ModuleOp>& placed,
          const PipelineOptions& pipeline) -> FailureOr<std::optional<double>> {
    if (failed(bringFurther(*placed, pipeline, Form::Differentiated)) ||
        failed(makePlan(*placed)))
      return failure();
    return options_.output.emit <= Emit::Local
               ? arenaBytesOf(*placed, backend_.target(), memoryBytes)
               : std::optional(largestArenaOf(plan_));
  };
  auto found = unplaced.placeWithin(memoryBytes, backend_.target(), place);
  if (failed(found)) return failure();
  module = std::move(*found);
  return success();
}

double Lowering::memoryOf(ModuleOp module) const {
  if (pipeline_.place.memory > 0) return pipeline_.place.memory;
  // If there is no target, the passes report it.
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  FailureOr<Target> target = chooseTarget(module, pipeline_.place.mesh);
  return succeeded(target) && target->device
             ? target->device->memoryBytes
             : std::numeric_limits<double>::infinity();
}

LogicalResult Lowering::bringFurther(ModuleOp module,
                                     const PipelineOptions& pipeline,
                                     Form from) {
  for (Form form : kForms) {
    if (form <= from) continue;
    if (form > last_) break;
    if (failed(bringTo(form, module, pipeline, from))) return failure();
    from = form;
  }
  return success();
}

LogicalResult Lowering::bringTo(Form form, ModuleOp module,
                                const PipelineOptions& pipeline,
                                std::optional<Form> from) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, pipeline, passes, from);
  if (failed(passes.run(module))) return failure();
  return endForm(form, module);
}

LogicalResult Lowering::endForm(Form form, ModuleOp module) {
  if (options_.hasSummary && form == Form::Boxed)
    predicted_ = predictTime(module, pipeline_.place.mesh);
  stopwatch_.lap(stringOf(form));
  if (options_.output.formsFolder.empty()) return success();
  mlir::OwningOpRef<ModuleOp> written;
  if (form == Form::Logical) {
    // The next passes report what is wrong with the options.
    mlir::ScopedDiagnosticHandler silently(
        module.getContext(), [](mlir::Diagnostic&) { return success(); });
    written = module.clone();
    if (failed(writeOptionsInto(*written, pipeline_))) written = module.clone();
  }
  const std::string file =
      llvm::formatv("{0}-{1}.mlir", static_cast<int>(form) + 1, stringOf(form))
          .str();
  return writeForm(
      module.getContext(), options_.output, file,
      textOf(written ? *written : module, options_.output.hasPlaces));
}

LogicalResult Lowering::makePlan(ModuleOp module) {
  if (options_.output.emit <= Emit::Local) return success();
  mlir::MLIRContext& context = *module.getContext();
  fuseElementwise(module);
  spellNames(module);
  if (failed(writeForm(&context, options_.output, "5-local-fused.mlir",
                       textOf(module, options_.output.hasPlaces))))
    return failure();
  const auto writeTasks = [&](const LayoutStep& step,
                              const EntryMemory& memory) {
    return taskForms_.add(step, memory);
  };
  const bool writesForms = !options_.output.formsFolder.empty();
  if (writesForms) taskForms_.restart();
  FailureOr<plan::Plan> built =
      buildPlan(module, *module.getName(), backend_.startKernels(context),
                writesForms ? StepObserver(writeTasks) : nullptr);
  // A plan that fails leaves its steps, too.
  if (writesForms && failed(taskForms_.finish(&context))) return failure();
  if (failed(built)) return failure();
  plan_ = std::move(*built);
  plan_.compiler = options_.compiler;
  plan_.plugins = plugins_.usedIn(context);
  return writeForm(&context, options_.output, "6-plan.json",
                   plan::toJson(plan_) + "\n");
}

}  // namespace sbp
