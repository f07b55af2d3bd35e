// Tiles of matrices in shared memory, and products of two tiles:
//
//   C[row, column] += sum over k of A[k, row] * B[k, column]
//
// Each thread has some rows and columns of C in registers. A tile has two
// indices:
//
//   summed   the index k that is summed over
//   across   the index that is not summed over: a row or a column of C
//
// A tile is stored as [summed, across], whatever the layout of its matrix, so
// that a thread reads its part of a row of the tile at once. Rows of the tile
// are padded to avoid bank conflicts between threads that store a column.

#ifndef CODEGEN_CUDA_SHAREDTILE_H_
#define CODEGEN_CUDA_SHAREDTILE_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// A dense row-major matrix in memory.
struct DenseMatrix {
  ElementRef first;  // element [0, 0]
  int64_t rows, columns;

  /// Number of adjacent elements of a row that one access can load, from a
  /// multiple of this number on.
  int64_t lanes() const;
};

/// A tile of a matrix in shared memory. The caller emits two barriers: one
/// before load() or store(), so that all threads have read the old content; and
/// one after it, so that no thread reads the new content too early.
class SharedTile {
 public:
  /// Allocates shared memory for a tile of up to [mostSummed, mostAcross]
  /// elements of the type `compute`, to which elements of matrices are
  /// converted.
  SharedTile(KernelBuilder& builder, mlir::Type compute, int64_t mostSummed,
             int64_t mostAcross);

  /// Loads [summed, across] elements of `matrix`: element [k, i] of the tile is
  /// the element in row `firstRow` + k and column `firstColumn` + i, or zero
  /// beyond the edge of the matrix. `firstRow` is a multiple of `summed`,
  /// `firstColumn` of `across`, and `across` of matrix.lanes(). All threads of
  /// the block must execute this code.
  void load(const DenseMatrix& matrix, mlir::Value firstRow,
            mlir::Value firstColumn, int64_t summed, int64_t across);
  /// Loads [summed, across] elements of the transposed `matrix`: element [k, i]
  /// of the tile is the element in row `firstRow` + i and column `firstColumn`
  /// + k, or zero beyond the edge. `firstRow` is a multiple of `across`,
  /// `firstColumn` of `summed`, and `summed` of matrix.lanes(). All threads of
  /// the block must execute this code.
  void loadTransposed(const DenseMatrix& matrix, mlir::Value firstRow,
                      mlir::Value firstColumn, int64_t summed, int64_t across);

  /// Loads `lanes` adjacent elements of row `summed` of the tile, from column
  /// `across` on. `across` is a multiple of `lanes`.
  mlir::Value vectorAt(mlir::Value summed, mlir::Value across, int64_t lanes);
  /// Stores `vector` to adjacent elements of row `summed` of the tile, from
  /// column `across` on. `across` is a multiple of the number of lanes.
  void store(mlir::Value vector, mlir::Value summed, mlir::Value across);

 private:
  /// Emits the share of the current thread in a nest of loops of `extents`;
  /// adjacent threads take adjacent iterations. `body` gets the indices, and a
  /// number to add to the outermost index. If the extents allow it, only that
  /// number changes from one iteration of the thread to the next, so that
  /// addresses are computed once.
  void forEachOwned(
      llvm::ArrayRef<int64_t> extents,
      llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value)> body);
  /// The position first + index + addend along one dimension of a matrix. It
  /// lies in the tile of `extent` elements that begins at `first`.
  struct TilePosition {
    mlir::Value first, index, addend;
    int64_t extent;
  };
  /// Loads matrix.lanes() adjacent elements of a row; zeros beyond the edge.
  mlir::Value loadVector(const DenseMatrix& matrix, TilePosition rows,
                         TilePosition columns);
  ElementRef refOf(mlir::Value summed, mlir::Value across);

  KernelBuilder& builder_;
  mlir::Type compute_;
  int64_t stride_;  // elements from one row of the tile to the next
  ElementRef first_;
};

/// Returns `sums` plus the products over the first `summed` values of k. `sums`
/// has a vector for each of the thread's rows of C, with an element for each of
/// its columns. The first of these rows is column `row` of the tile `left` (of
/// A), and the first of these columns is column `column` of the tile `right`
/// (of B).
llvm::SmallVector<mlir::Value> addProducts(KernelBuilder& builder,
                                           llvm::ArrayRef<mlir::Value> sums,
                                           SharedTile& left, mlir::Value row,
                                           SharedTile& right,
                                           mlir::Value column, int64_t summed);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDTILE_H_
