// A model before it is placed, for searches of a plan that fits into memory.
//
// A plan is laid out before it is believed (FitMemory.h), so a model may be
// placed several times. What comes before placement does not depend on the
// memory there is, only on the number of micro-batches, and is done once for
// each:
//
//   logical ──▶ differentiated, 1 micro-batch ───▶ placed within 16 GB
//      │                                     └───▶ placed within 15 GB
//      └─────▶ differentiated, 2 micro-batches ──▶ placed within 16 GB

#ifndef CODEGEN_DRIVER_UNPLACEDMODEL_H_
#define CODEGEN_DRIVER_UNPLACEDMODEL_H_

#include <cstdint>
#include <map>
#include <optional>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Pipelines.h"

namespace sbp {

class UnplacedModel {
 public:
  using Module = mlir::OwningOpRef<ModuleOp>;

  /// Places a module in the differentiated form by `options`. Returns the bytes
  /// of its largest arena, or nothing if these are not known.
  using Place = llvm::function_ref<FailureOr<std::optional<double>>(
      Module& module, const PipelineOptions& options)>;

  /// Takes `module`, in a form before the placed one.
  UnplacedModel(Module module, const PipelineOptions& options)
      : logical_(std::move(module)), options_(options) {}

  /// Returns the model in the logical form, checked.
  FailureOr<ModuleOp> logical();

  /// Returns the model in the differentiated form, with the number of
  /// micro-batches that the options say.
  FailureOr<ModuleOp> differentiated() {
    return differentiated(options_.differentiate.microBatches);
  }

  /// Calls `place` on copies of the differentiated form until one takes no more
  /// than `memoryBytes` of a device, laid out for kernels of `target`, and
  /// returns that one. Fails after a diagnostic if none does, or if `place`
  /// fails for another reason than memory (FitMemory.h).
  FailureOr<Module> placeWithin(double memoryBytes, const KernelTarget& target,
                                Place place);

 private:
  FailureOr<ModuleOp> differentiated(int64_t microBatches);

  Module logical_;
  bool isChecked_ = false;
  PipelineOptions options_;
  std::map<int64_t, Module> differentiated_;  // by number of micro-batches
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_UNPLACEDMODEL_H_
