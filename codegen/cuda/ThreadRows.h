// Rows (codegen/kernels/Rows.h) on a GPU. There are two ways to divide them
// among threads:
//
//   inner == 1   a warp or a block takes a row; its threads take the vectors of
//                the row in turn, and a sum over the row ends with a reduction
//                over the threads
//   inner > 1    a thread takes adjacent rows, one per lane, and computes their
//                sums alone

#ifndef CODEGEN_CUDA_THREADROWS_H_
#define CODEGEN_CUDA_THREADROWS_H_

#include <cstdint>

#include "codegen/kernels/Rows.h"

namespace sbp::cuda {

/// The rows that a group of threads takes.
class ThreadRows : public Rows {
 public:
  /// Creates the rows of `shape` that a group of `threads` threads takes, in
  /// vectors of `vectorType`. The number of lanes divides the length of a row,
  /// or `inner` if that is > 1. The group is a warp or a block, or one thread
  /// if inner > 1; `thread` is the index of the current thread in the group.
  /// The group's first row has the index `firstRow`, and begins at element
  /// `firstOffset` of a tensor of `shape`.
  ThreadRows(KernelBuilder& builder, RowShape shape,
             mlir::VectorType vectorType, int64_t threads, mlir::Value thread,
             mlir::Value firstOffset, mlir::Value firstRow)
      : builder_(builder),
        shape_(shape),
        vectorType_(vectorType),
        threads_(threads),
        thread_(thread),
        firstOffset_(firstOffset),
        firstRow_(firstRow) {}

  void forEach(llvm::function_ref<void(At)> body) override;
  mlir::Value reduce(mlir::vector::CombiningKind kind,
                     llvm::function_ref<mlir::Value(At)> term) override;
  mlir::Value load(ElementRef tensor, At at) override;
  void store(mlir::Value vector, ElementRef tensor, At at) override;
  mlir::Value loadShared(ElementRef tensor, At at) override;
  mlir::Value loadOnePerRow(ElementRef tensor) override;
  void storeOnePerRow(mlir::Value vector, ElementRef tensor) override;
  mlir::Value firstRow() const override { return firstRow_; }
  mlir::VectorType vectorType() const override { return vectorType_; }

 private:
  /// Whether the group takes one row, not adjacent rows.
  bool isOneRow() const { return shape_.inner == 1; }
  int64_t lanes() const { return vectorType_.getNumElements(); }
  /// Returns the position of the vector that begins at element `along` of the
  /// row.
  At at(mlir::Value along);
  /// Position in a row at which the thread's first vector begins, in elements.
  mlir::Value begin();
  /// Distance from one vector of the thread to its next one, in elements.
  int64_t step() const;

  KernelBuilder& builder_;
  RowShape shape_;
  mlir::VectorType vectorType_;
  int64_t threads_;
  mlir::Value thread_;
  mlir::Value firstOffset_;
  mlir::Value firstRow_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_THREADROWS_H_
