// A model before it is placed, for the search for a plan that fits into memory.
//
// The search may place a model several times, within different limits of
// memory, until the layout of its buffers fits (FitMemory.h). The passes before
// placement do not depend on these limits. The passes to the logical form run
// once, and the passes to the differentiated form once for each number of
// micro-batches, and for layers that keep less:
//
//   logical ──▶ differentiated, 1 micro-batch ───▶ placed within 16 GB
//      │                                     └───▶ placed within 15 GB
//      └─────▶ differentiated, 2 micro-batches ──▶ placed within 16 GB

#ifndef CODEGEN_DRIVER_UNPLACEDMODEL_H_
#define CODEGEN_DRIVER_UNPLACEDMODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "codegen/plan/KernelTarget.h"
#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Pipelines.h"

namespace sbp {

/// Owns the forms of a model before placement. Makes each at its first use.
class UnplacedModel {
 public:
  using Module = mlir::OwningOpRef<ModuleOp>;

  /// Brings `module` from the differentiated form to the placed one or further,
  /// by `options`. Returns the bytes of its largest arena, or nullopt if they
  /// are not known. Fails if no plan is found.
  using PlaceFunction = llvm::function_ref<FailureOr<std::optional<double>>(
      Module& module, const PipelineOptions& options)>;

  /// Takes `module`, in a form before the placed one.
  UnplacedModel(Module module, const PipelineOptions& options)
      : logical_(std::move(module)), options_(options) {}

  /// Returns the model in the logical form; this object owns it. Fails, as the
  /// next two functions do, after a diagnostic, for example if the options do
  /// not fit the model (checkOptions).
  FailureOr<ModuleOp> logical();

  /// Returns the model in the differentiated form, for the number of
  /// micro-batches in the options. This object owns it.
  FailureOr<ModuleOp> differentiated() {
    return differentiated(options_.differentiate.microBatches,
                          options_.keep.kept);
  }

  /// Calls `place` on copies of the differentiated form, with options that
  /// FitMemory.h describes, until a plan fits into the `memoryBytes` of a
  /// device. Returns the copy with that plan. If no plan fits, fails with an
  /// error that names the tensors in memory; for that, lays out the smallest
  /// plan for the kernels of `target`.
  FailureOr<Module> placeWithin(double memoryBytes, const KernelTarget& target,
                                PlaceFunction place);

 private:
  FailureOr<ModuleOp> differentiated(int64_t microBatches, Kept kept);

  Module logical_;
  bool isChecked_ = false;
  PipelineOptions options_;
  // By number of micro-batches and what layers keep.
  std::map<std::pair<int64_t, Kept>, Module> differentiated_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_UNPLACEDMODEL_H_
