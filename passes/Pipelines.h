// The data flow of the compiler: which passes run, in which order.

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

/// The options of the passes of a pipeline, by pass.
struct PipelineOptions {
  ChooseStagesOptions cut;
  ScheduleStagesOptions schedule;
  DifferentiateOptions differentiate;
  PlaceOptions place;
  /// Whether each form ends with tensors called what its text calls them
  /// (passes/names/Spelling.h). An explanation has longer names.
  bool spellsNames = false;

  /// Makes the defaults, by which a model is not cut into stages.
  PipelineOptions() { cut.stages = 0; }

  /// Sets the number of micro-batches of all passes; 0 stands for that of the
  /// schedule.
  void setMicroBatches(int64_t microBatches);
};

/// Declares all options of the passes to `to`, which writes the values that it
/// reads to `options`.
void declareOptions(PipelineOptions& options, OptionDeclarer& to);

/// Fails, with a diagnostic at `module`, if `options` give a schedule or
/// several micro-batches, but no function of `module` is to be trained. Call it
/// before any pass runs.
mlir::LogicalResult checkOptions(mlir::ModuleOp module,
                                 const PipelineOptions& options);

/// Adds the passes that bring a module to `form` from `from`, if it is known to
/// be in that form and checked; or else from any form before `form`: a pass
/// that finds its work done leaves the module alone. So a program may be
/// printed in any form, changed by hand, and taken on from there.
void addPassesTo(Form form, const PipelineOptions& options,
                 mlir::OpPassManager& passes,
                 std::optional<Form> from = std::nullopt);

/// Registers every pass of the project, and a pipeline `--sbp-to-<form>` for
/// every form, which takes the options of its passes.
void registerPasses();

}  // namespace sbp

#endif  // PASSES_PIPELINES_H_
