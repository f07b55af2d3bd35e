// Loops whose iterations are independent. Each target runs them in its own way:
// a CPU one iteration after the other, in vectors; a GPU in parallel threads.
//
// A kernel that consists of such loops is written once for all targets. Threads
// do not wait for one another between two loops of a kernel. So no loop may
// read or write an element that another loop of the same kernel writes.

#ifndef CODEGEN_KERNELS_PARALLELLOOPS_H_
#define CODEGEN_KERNELS_PARALLELLOOPS_H_

#include "codegen/kernels/Rows.h"
#include "codegen/kernels/StridedTensor.h"

namespace sbp {

/// Emits the loops of one kernel for one target.
class ParallelLoops {
 public:
  /// A function that emits the computation of one element of each output from
  /// one element of each input. The values may also be vectors of elements.
  /// Elements have the type that computeType() returns for the element type of
  /// their tensor.
  using Compute =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;

  virtual ~ParallelLoops() = default;

  /// Returns the type in which elements of `elementType` are computed: f32 for
  /// bf16 on a GPU, `elementType` itself otherwise.
  virtual mlir::Type computeType(mlir::Type elementType) const {
    return elementType;
  }

  /// Emits a nest of loops of `extents`. Each iteration loads an element of
  /// each of `inputs`, computes from them an element of each of `outputs`, and
  /// stores these elements. `compute` emits the computation.
  virtual void forEachElement(KernelBuilder& builder,
                              llvm::ArrayRef<int64_t> extents,
                              llvm::ArrayRef<StridedTensor> inputs,
                              llvm::ArrayRef<StridedTensor> outputs,
                              Compute compute) = 0;

  /// Emits loops over blocks of the rows of `shape`. `body` emits the code of
  /// one block. It is called once for each kind of block, for example once for
  /// full blocks and once for a partial one. `element` is the element type of
  /// the tensors.
  virtual void forEachRows(KernelBuilder& builder, RowShape shape,
                           mlir::Type element,
                           llvm::function_ref<void(Rows&)> body) = 0;

  /// Emits a nest of loops of `extents` that copies `input` to `output`.
  void copy(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
            const StridedTensor& input, const StridedTensor& output) {
    forEachElement(builder, extents, input, output,
                   [](mlir::ValueRange element) {
                     return llvm::to_vector_of<mlir::Value>(element);
                   });
  }
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_PARALLELLOOPS_H_
