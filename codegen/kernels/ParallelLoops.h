// Loops whose iterations are independent, which each target runs its own way:
// a CPU one after the other, in vectors; a GPU at once, a thread for some.
//
// A kernel that is made of such loops is written once for all targets. Several
// loops of one kernel have no order either: none may take what another makes.

#ifndef CODEGEN_KERNELS_PARALLELLOOPS_H_
#define CODEGEN_KERNELS_PARALLELLOOPS_H_

#include "codegen/kernels/Rows.h"
#include "codegen/kernels/StridedTensor.h"

namespace sbp {

class ParallelLoops {
 public:
  /// Of an element of each input, or vectors of them, those of each output.
  using Compute =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;

  virtual ~ParallelLoops() = default;

  /// Emits loops of `extents` that load an element of each of `inputs`,
  /// compute, and store one into each of `outputs`.
  virtual void forEachElement(KernelBuilder& builder,
                              llvm::ArrayRef<int64_t> extents,
                              llvm::ArrayRef<StridedTensor> inputs,
                              llvm::ArrayRef<StridedTensor> outputs,
                              Compute compute) = 0;

  /// Emits loops over blocks of the rows of `shape`; `body` emits the code of
  /// one block, and is called for each kind of block that there is. `element`
  /// is the type of the vectors' elements.
  virtual void forEachRows(KernelBuilder& builder, RowShape shape,
                           mlir::Type element,
                           llvm::function_ref<void(Rows&)> body) = 0;

  /// Loops that do not compute: copies `input` to `output`.
  void copy(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
            StridedTensor input, StridedTensor output) {
    forEachElement(builder, extents, input, output,
                   [](mlir::ValueRange element) {
                     return llvm::to_vector_of<mlir::Value>(element);
                   });
  }
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_PARALLELLOOPS_H_
