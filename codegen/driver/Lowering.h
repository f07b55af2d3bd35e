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
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Pipelines.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Lowers one model. Its arguments must outlive it.
class Lowering {
 public:
  Lowering(const CompileOptions& options, Backend& backend,
           Stopwatch& stopwatch);

  /// Brings `module` to the form that is the output (CodeOutput::emit). If the
  /// output is the plan or made from it, brings `module` to the local form and
  /// makes the plan. May replace `module`.
  ///
  /// If this run searches for placements and the memory of a device is known,
  /// it repeats the search until a plan fits (FitMemory.h). If there is a
  /// CodeOutput::formsFolder, makes it and writes to it each form on the way,
  /// the plan and its tasks; of several attempts the last stays. Fails after a
  /// diagnostic: if no plan fits, or if `module` is in a later form than the
  /// output.
  LogicalResult run(mlir::OwningOpRef<ModuleOp>& module);

  /// Returns the plan; an empty one if the output is the local form or an
  /// earlier one.
  const plan::Plan& plan() const { return plan_; }

  /// Returns the predicted time of the entry that takes longest. Returns
  /// nullopt if there is to
  /// be no summary (CompileOptions::hasSummary), if run() made no boxed form,
  /// or if there is no prediction.
  const std::optional<PredictedTime>& predicted() const { return predicted_; }

 private:
  /// Fails if `module` is in a later form than `last_`. Makes the folder of
  /// forms.
  LogicalResult checkForms(ModuleOp module) const;
  /// Does the part of run() for a search within `memoryBytes` per device:
  /// places and plans until the plan fits.
  LogicalResult runWithin(mlir::OwningOpRef<ModuleOp>& module,
                          double memoryBytes);
  /// Returns the memory of a device in bytes: that of the option --memory, or
  /// else of the machine; infinite if neither states it.
  double memoryOf(ModuleOp module) const;
  /// Brings `module` from the form `from` to `last_`.
  LogicalResult bringFurther(ModuleOp module, const PipelineOptions& pipeline,
                             Form from);
  /// Runs the passes from form `from` to `form`, and ends that form. `from` is
  /// nullopt for the input: the passes find out its form.
  LogicalResult bringTo(Form form, ModuleOp module,
                        const PipelineOptions& pipeline,
                        std::optional<Form> from);
  /// Ends the lap of `form` on the stopwatch and writes the form. Predicts the
  /// program's time if `form` is the boxed one and there is to be a summary.
  LogicalResult endForm(Form form, ModuleOp module);
  /// Makes the plan of `module`, which is in the local form, and writes it and
  /// its tasks to the folder of forms. Does nothing if the output is the local
  /// form or an earlier one.
  LogicalResult makePlan(ModuleOp module);

  const CompileOptions& options_;
  PipelineOptions pipeline_;
  Form last_;  // form of the output, or the local form if that comes later
  Backend& backend_;
  Stopwatch& stopwatch_;
  TaskForms taskForms_;
  plan::Plan plan_;
  std::optional<PredictedTime> predicted_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOWERING_H_
