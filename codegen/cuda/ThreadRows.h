// Rows in the threads of a GPU. There are two ways to put them there:
//
//   inner == 1   a row in the threads of a warp or of a block, each with every
//                so many vectors of it; a sum over the row ends with a sum over
//                the threads
//   inner > 1    neighbouring rows in each thread, one in each lane; a sum over
//                the row is the thread's own

#ifndef CODEGEN_CUDA_THREADROWS_H_
#define CODEGEN_CUDA_THREADROWS_H_

#include <cstdint>

#include "codegen/kernels/Rows.h"

namespace sbp::cuda {

class ThreadRows : public Rows {
 public:
  /// A block of rows of `shape`, in vectors of `vectorType`, that `threads`
  /// threads have together: as many as a warp or a block, or, if inner > 1,
  /// one. Its first row has number `firstRow` and begins at `firstOffset`;
  /// `thread` is the thread's number among them.
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
  mlir::Value load(Place tensor, At at) override;
  void store(mlir::Value vector, Place tensor, At at) override;
  mlir::Value loadShared(Place tensor, At at) override;
  mlir::Value loadOnePerRow(Place tensor) override;
  void storeOnePerRow(mlir::Value vector, Place tensor) override;
  mlir::Value firstRow() const override { return firstRow_; }
  mlir::VectorType vectorType() const override { return vectorType_; }

 private:
  bool isOneRow() const { return shape_.inner == 1; }
  int64_t lanes() const { return vectorType_.getNumElements(); }
  At at(mlir::Value along);
  /// Where the thread begins in a row, and how far it is to its next vector.
  mlir::Value begin();
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
