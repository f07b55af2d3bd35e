// A model before it is placed, for the search for a plan that fits into memory.
//
// The search may place a model several times, until the layout of its buffers
// fits (FitMemory.h). The passes before placement do not depend on the memory
// of a device, only on the number of micro-batches. They run once for each
// number of micro-batches:
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

/// Owns the forms of a model before placement, and makes each when it is needed
/// for the first time.
class UnplacedModel {
 public:
  using Module = mlir::OwningOpRef<ModuleOp>;

  /// Places `module`, in the differentiated form, by `options`. Returns the
  /// bytes of its largest arena, or nullopt if they are not known.
  using Place = llvm::function_ref<FailureOr<std::optional<double>>(
      Module& module, const PipelineOptions& options)>;

  /// Takes `module`, in a form before the placed one.
  UnplacedModel(Module module, const PipelineOptions& options)
      : logical_(std::move(module)), options_(options) {}

  /// Returns the model in the logical form, with `options` and the model
  /// checked. Fails after a diagnostic, as do the next two functions.
  FailureOr<ModuleOp> logical();

  /// Returns the model in the differentiated form, with the number of
  /// micro-batches in the options.
  FailureOr<ModuleOp> differentiated() {
    return differentiated(options_.differentiate.microBatches);
  }

  /// Calls `place` on copies of the differentiated form as FitMemory.h
  /// describes, and returns the copy whose plan fits into the `memoryBytes` of
  /// a device. Fails if no plan fits. `target` is the target of the kernels: if
  /// no plan fits, the smallest plan is laid out for it, and the error names
  /// the tensors in memory.
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
