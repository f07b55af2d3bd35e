// A compilation of a model from form to form, down to its plan.

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

  /// Brings `module` to the form that is the output (CodeOutput::emit); if the
  /// output comes later, to the local form, and makes the plan. Writes every
  /// form to CodeOutput::formsFolder, and makes that folder. If the search
  /// places the model, the plan fits into the memory of a device
  /// (FitMemory.h). Fails after a diagnostic, for example if `module` is past
  /// the form that is the output.
  LogicalResult run(mlir::OwningOpRef<ModuleOp>& module);

  /// Returns the plan; an empty one if the output is a form.
  const plan::Plan& plan() const { return plan_; }

  /// Returns the predicted time of the program. Returns nullopt if there is to
  /// be no summary (CompileOptions::hasSummary), if run() made no boxed form,
  /// or if there is no prediction.
  const std::optional<PredictedTime>& predicted() const { return predicted_; }

 private:
  /// Fails if `module` is past the last form; makes the folder of forms.
  LogicalResult checkForms(ModuleOp module) const;
  /// Does the work of run() if the search places the model within `memoryBytes`
  /// per device.
  LogicalResult runWithin(mlir::OwningOpRef<ModuleOp>& module,
                          double memoryBytes);
  /// Returns the bytes of a device: those of the option --memory, or else those
  /// of the machine; infinite if neither states them.
  double memoryOf(ModuleOp module) const;
  /// Brings `module` from the form `from` to the last one.
  LogicalResult bringFurther(ModuleOp module, const PipelineOptions& pipeline,
                             Form from);
  /// Runs the passes from form `from` to `form`; if `from` is nullopt, from
  /// whatever form `module` is in.
  LogicalResult bringTo(Form form, ModuleOp module,
                        const PipelineOptions& pipeline,
                        std::optional<Form> from);
  /// Ends the lap of `form` on the stopwatch and writes the form. Predicts the
  /// program's time if `form` is the boxed one and there is to be a summary.
  LogicalResult endForm(Form form, ModuleOp module);
  /// Makes the plan of `module`, which is in the local form. Does nothing if
  /// the output is a form.
  LogicalResult makePlan(ModuleOp module);

  const CompileOptions& options_;
  PipelineOptions pipeline_;
  Form last_;
  Backend& backend_;
  Stopwatch& stopwatch_;
  TaskForms taskForms_;
  plan::Plan plan_;
  std::optional<PredictedTime> predicted_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOWERING_H_
