// The vocabulary of kernels in which a warp works on one thing together.
//
// A vector that a warp has is spread over its threads: thread i has elements i,
// 32 + i, ... of it, so that neighbouring threads load neighbours in memory.
// What each thread has one of, such as a factor for each of 32 rows, goes to
// the others by shuffles. All threads of the warp have to come to whatever
// shuffles.

#ifndef CODEGEN_CUDA_WARPCODE_H_
#define CODEGEN_CUDA_WARPCODE_H_

#include <cstdint>

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

class WarpCode {
 public:
  /// The elements of a vector that one thread has.
  using Spread = llvm::SmallVector<mlir::Value>;

  /// Of tensors of `elementType`, floats.
  WarpCode(KernelBuilder& builder, mlir::Type elementType);

  KernelBuilder& builder() { return builder_; }
  Arithmetic& x() { return x_; }

  /// Begins the code of a warp, which the following is of.
  void begin();
  /// The thread's number in it.
  mlir::Value lane() const { return lane_; }

  /// A constant of the type that is computed with.
  mlir::Value number(double value);

  /// `value` of all threads combined, in each of them.
  mlir::Value reduce(mlir::vector::CombiningKind kind, mlir::Value value);

  /// `value` as thread `lane` has it.
  mlir::Value from(int64_t lane, mlir::Value value);

  /// The product of two vectors of `count` elements in memory, by one thread.
  mlir::Value dot(Place a, Place b, int64_t count);

  /// How many elements of a vector of `count` a thread has, at most.
  static int64_t sizeOf(int64_t count);
  Spread zeros(int64_t count) { return Spread(sizeOf(count), number(0)); }

  /// `sums`, a vector of `count` elements, plus 32 rows of a matrix [numRows,
  /// count] at `rows`, from row `first` on, each times the factor that the
  /// thread of its number has. Rows beyond the last one do not count.
  Spread addRows(Spread sums, mlir::Value factors, Place rows,
                 mlir::Value first, int64_t numRows, int64_t count);

  /// Stores a vector of `count` elements.
  void store(const Spread& vector, Place place, int64_t count);

 private:
  /// Calls `body` for each element that the thread may have, with its number
  /// among those and in the vector.
  void forOwn(int64_t count,
              llvm::function_ref<void(size_t, mlir::Value)> body);
  mlir::Value loadIfThere(Place vector, mlir::Value index, int64_t count);

  KernelBuilder& builder_;
  Arithmetic x_;
  mlir::Type elementType_, computeType_;
  mlir::Value lane_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_WARPCODE_H_
