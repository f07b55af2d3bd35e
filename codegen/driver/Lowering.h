// A compilation of a model from form to form (passes/Forms.h), down to its
// plan.

#ifndef CODEGEN_DRIVER_LOWERING_H_
#define CODEGEN_DRIVER_LOWERING_H_

#include <optional>

#include "codegen/driver/Backend.h"
#include "codegen/driver/Compile.h"
#include "codegen/driver/Stopwatch.h"
#include "codegen/driver/Summary.h"
#include "codegen/driver/TaskForms.h"
#include "codegen/plugin/Plugins.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Pipelines.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Lowers one model. The arguments of the constructor must outlive this object.
class Lowering {
 public:
  Lowering(const CompileOptions& options, Backend& backend,
           const plugin::Plugins& plugins, Stopwatch& stopwatch);

  /// Brings `module` to the form that is the output (CodeOutput::emit). If the
  /// output is the plan or made from it, brings `module` to the local form and
  /// makes the plan. May replace `module`; a failure may leave it null.
  ///
  /// If placements are searched for and the memory of a device is known, the
  /// search is repeated until a plan fits (FitMemory.h).
  ///
  /// If there is a CodeOutput::formsFolder, makes it and writes to it each form
  /// on the way, the plan and its tasks. Each search overwrites the files of
  /// the search before.
  ///
  /// Fails after a diagnostic, for example if no plan fits or if `module` is in
  /// a later form than the output.
  LogicalResult run(mlir::OwningOpRef<ModuleOp>& module);

  /// Returns the plan; an empty one if the output is the local form or an
  /// earlier one.
  const plan::Plan& plan() const { return plan_; }

  /// Returns the predicted time of the entry that takes longest. Returns
  /// nullopt if there is to be no summary (CompileOptions::hasSummary), if
  /// run() made no boxed form, or if predictTime() fails.
  const std::optional<PredictedTime>& predicted() const { return predicted_; }

 private:
  /// Fails if `module` is in a later form than `last_`. Makes the folder of
  /// forms, if there is one.
  LogicalResult checkForms(ModuleOp module) const;
  /// Does the work of run() in the case that placements are searched for until
  /// a plan fits into `memoryBytes` per device.
  LogicalResult runWithin(mlir::OwningOpRef<ModuleOp>& module,
                          double memoryBytes);
  /// Returns the bytes of memory of a device, as the option --memory states
  /// them, or else the machine. Infinite if neither does.
  double memoryOf(ModuleOp module) const;
  /// Brings `module` from the form `from` to `last_`, form by form.
  LogicalResult bringFurther(ModuleOp module, const PipelineOptions& pipeline,
                             Form from);
  /// Runs the passes from form `from` to `form`, then endForm(). If `from` is
  /// nullopt, the passes find out the form that `module` is in.
  LogicalResult bringTo(Form form, ModuleOp module,
                        const PipelineOptions& pipeline,
                        std::optional<Form> from);
  /// Ends the lap of `form` on the stopwatch, and writes the form to the folder
  /// of forms, if there is one. Predicts the program's time if `form` is the
  /// boxed one and there is to be a summary.
  LogicalResult endForm(Form form, ModuleOp module);
  /// Makes the plan of `module`, which is in the local form, and writes it and
  /// its tasks to the folder of forms. Does nothing if the output is the local
  /// form or an earlier one.
  LogicalResult makePlan(ModuleOp module);

  const CompileOptions& options_;
  PipelineOptions pipeline_;
  Form last_;  // form of the output; local if it is made from the local form
  Backend& backend_;
  const plugin::Plugins& plugins_;
  Stopwatch& stopwatch_;
  TaskForms taskForms_;
  plan::Plan plan_;
  std::optional<PredictedTime> predicted_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOWERING_H_
