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
  /// Calls `store` with the vectors that the thread loads of the part of
  /// `matrix` that begins at a row and a column, each with its own row and
  /// column in the part. Neighbouring threads load so many neighbours in a row
  /// as `together` says, then those of the next row.
  void loadVectors(
      const DenseMatrix& matrix, mlir::Value firstRow, mlir::Value firstColumn,
      int64_t rows, int64_t columns, int64_t together,
      llvm::function_ref<void(mlir::Value, mlir::Value, mlir::Value)> store);
  Place placeOf(mlir::Value summed, mlir::Value across);

  KernelBuilder& builder_;
  mlir::Type compute_;
  int64_t stride_;
  Place first_;
};

/// `sums`, of which each is a vector of columns of one row, plus the products
/// of `summed` rows of `left`, from row `first` on, and of the first ones of
/// `right`; the thread's sums begin at `row` and at `column`.
llvm::SmallVector<mlir::Value> addProducts(KernelBuilder& builder,
                                           llvm::ArrayRef<mlir::Value> sums,
                                           SharedTile& left, mlir::Value first,
                                           mlir::Value row, SharedTile& right,
                                           mlir::Value column, int64_t summed);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDTILE_H_
