// Tiles of matrices in the memory that the threads of a block share, and
// products of them, of which each thread has a part in registers.
//
//   C[row, column] += sum over k of A[k, row] * B[k, column]
//
// However a matrix lies in memory, a tile of it is [k, row] or [k, column]: a
// thread loads what it has of a row of the tile at once. Rows are as long as to
// keep threads that store a column of a tile out of each other's banks.

#ifndef CODEGEN_CUDA_SHAREDTILE_H_
#define CODEGEN_CUDA_SHAREDTILE_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// A matrix in memory, row by row.
struct DenseMatrix {
  Place first;
  int64_t rows, columns;

  /// How many neighbours in a row one access takes.
  int64_t lanes() const;
};

class SharedTile {
 public:
  /// Room for [mostSummed, mostAcross] numbers of the type `compute`.
  SharedTile(KernelBuilder& builder, mlir::Type compute, int64_t mostSummed,
             int64_t mostAcross);

  /// Makes it the tile [summed, across] of `matrix` that begins at a row and a
  /// column, which are multiples of the tile's extents, or such a tile of
  /// `matrix` transposed. What is beyond the matrix is zero. All threads of the
  /// block have to come here, between two barriers.
  void load(const DenseMatrix& matrix, mlir::Value firstRow,
            mlir::Value firstColumn, int64_t summed, int64_t across);
  void loadTransposed(const DenseMatrix& matrix, mlir::Value firstRow,
                      mlir::Value firstColumn, int64_t summed, int64_t across);

  /// `lanes` neighbours of row `summed`, from a multiple of `lanes` on.
  mlir::Value vectorAt(mlir::Value summed, mlir::Value across, int64_t lanes);
  void store(mlir::Value vector, mlir::Value summed, mlir::Value across);

 private:
  /// Calls `body` with the indices of all that the thread has to do of loops of
  /// these extents, where neighbouring threads do neighbours. Of the outermost
  /// index it is told how much more it is, which is constant as far as it can
  /// be: so that one address does for all times.
  void forOwn(
      llvm::ArrayRef<int64_t> extents,
      llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value)> body);
  /// Where something is along a direction of a matrix: at `index` plus `more`
  /// of a tile of `extent` that begins at `first`.
  struct Along {
    mlir::Value first, index, more;
    int64_t extent;
  };
  /// The vector of `matrix` that begins there; zeros beyond the matrix.
  mlir::Value loadVector(const DenseMatrix& matrix, Along rows, Along columns);
  Place placeOf(mlir::Value summed, mlir::Value across);

  KernelBuilder& builder_;
  mlir::Type compute_;
  int64_t stride_;
  Place first_;
};

/// `sums`, a vector of columns for each row, plus the products of the first
/// `summed` rows of the tiles; the thread's sums begin at `row` and at
/// `column`.
llvm::SmallVector<mlir::Value> addProducts(KernelBuilder& builder,
                                           llvm::ArrayRef<mlir::Value> sums,
                                           SharedTile& left, mlir::Value row,
                                           SharedTile& right,
                                           mlir::Value column, int64_t summed);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDTILE_H_
