// The passes of the compiler, in the order in which they run.

#ifndef PASSES_PIPELINES_H_
#define PASSES_PIPELINES_H_

#include <cstdint>
#include <optional>

#include "mlir/Pass/PassManager.h"
#include "passes/Forms.h"
#include "passes/cut/Passes.h"
#include "passes/differentiate/Passes.h"
#include "passes/options/OptionDeclarer.h"
#include "passes/placement/Passes.h"
#include "passes/stages/Passes.h"

namespace sbp {

/// The effort to fit a plan into the memory of a device.
enum class FitEffort {
  Fastest,   // fast plans only
  Smallest,  // if no fast plan fits, plans that take little memory
  Advice,    // and if none fits, changes of the model that would help
};

/// The options of a pipeline, by pass.
struct PipelineOptions {
  KeepInLayersOptions keep;
  ChooseStagesOptions cut;
  ScheduleStagesOptions schedule;
  DifferentiateOptions differentiate;
  PlaceOptions place;
  /// Whether tensors are renamed when a form is reached: to the names that the
  /// text of that form prints (passes/names/Spelling.h). Explanations keep the
  /// longer names.
  bool spellsNames = false;
  /// The effort to fit a plan into the memory, where the driver does that
  /// (codegen/driver/FitMemory.h).
  FitEffort effort = FitEffort::Advice;

  /// Sets default options. By default a model is not cut into stages.
  PipelineOptions() { cut.stages = 0; }

  /// Sets the number of micro-batches in the options of all passes. 0 means the
  /// number that the schedule has.
  void setMicroBatches(int64_t microBatches);
};

/// Declares all options of the passes to `to`, which stores the values that it
/// reads in `options`. `options` must outlive `to`.
void declareOptions(PipelineOptions& options, OptionDeclarer& to);

/// Fails with a diagnostic at `module` if `options` ask for a schedule or for
/// several micro-batches, but `module` has no function to train. Must be called
/// before any pass runs.
mlir::LogicalResult checkOptions(mlir::ModuleOp module,
                                 const PipelineOptions& options);

/// Adds the passes that bring a module from the form `from` to `form`, and the
/// pass that verifies `form`. Without `from`, the module may have any form up
/// to `form`, since a pass that finds its work done leaves the module
/// unchanged. So a program may be printed in any form, edited, and compiled
/// from there.
void addPassesTo(Form form, const PipelineOptions& options,
                 mlir::OpPassManager& passes,
                 std::optional<Form> from = std::nullopt);

/// Registers every pass of the project, and a pipeline `--sbp-to-<form>` for
/// every form except the logical one. A pipeline has the options of its passes.
void registerPasses();

}  // namespace sbp

#endif  // PASSES_PIPELINES_H_
