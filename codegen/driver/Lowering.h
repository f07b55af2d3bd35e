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

class Lowering {
 public:
  Lowering(const CompileOptions& options, Backend& backend,
           Stopwatch& stopwatch);

  /// Brings `module` to the last form that the options want, and makes its plan
  /// if they want more. Writes every form to the folder that gets them. A plan
  /// that is searched fits into the memory of a device (FitMemory.h). Fails
  /// after a diagnostic.
  LogicalResult run(mlir::OwningOpRef<ModuleOp>& module);

  /// The plan, if more than a form is wanted.
  const plan::Plan& plan() const { return plan_; }

  /// Predicted time of what is made, if there is to be a summary and the time
  /// is known.
  const std::optional<PredictedTime>& predicted() const { return predicted_; }

 private:
  /// Makes the folder of forms. Fails if `module` is past the last form.
  LogicalResult checkForms(ModuleOp module) const;
  LogicalResult runWithin(mlir::OwningOpRef<ModuleOp>& module,
                          double memoryBytes);
  /// Returns the bytes that a device of `module` has; infinite where nobody
  /// says.
  double memoryOf(ModuleOp module) const;
  /// Brings `module` from the form `from` to the last one.
  LogicalResult bringFurther(ModuleOp module, const PipelineOptions& pipeline,
                             Form from);
  LogicalResult bringTo(Form form, ModuleOp module,
                        const PipelineOptions& pipeline,
                        std::optional<Form> from);
  /// Reports how long it took to come to `form`, writes it, and predicts the
  /// time of what it makes.
  LogicalResult endForm(Form form, ModuleOp module);
  /// Makes the plan of `module`, in the local form, if one is wanted.
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
