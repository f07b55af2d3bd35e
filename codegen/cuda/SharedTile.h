// Tiles of matrices in shared memory, and products of two tiles:
//
//   C[row, column] += sum over k of A[k, row] * B[k, column]
//
// Each thread has some rows and columns of C in registers. A tile is stored as
// [k, row] or [k, column], whatever the layout of its matrix, so that a thread
// reads its part of a row of the tile at once. Rows of tiles are padded to
// avoid bank conflicts between threads that store a column.
//
//   summed   the index k that is summed over
//   across   the other index of a tile: a row or a column of C

#ifndef CODEGEN_CUDA_SHAREDTILE_H_
#define CODEGEN_CUDA_SHAREDTILE_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// A dense row-major matrix in memory.
struct DenseMatrix {
  ElementRef first;  // element [0, 0]
  int64_t rows, columns;

  /// Number of adjacent elements of a row that one access can load.
  int64_t lanes() const;
};

class SharedTile {
 public:
  /// Allocates shared memory for a tile of up to [mostSummed, mostAcross]
  /// elements of the type `compute`.
  SharedTile(KernelBuilder& builder, mlir::Type compute, int64_t mostSummed,
             int64_t mostAcross);

  /// Loads the tile of extents [summed, across] that begins at `firstRow` and
  /// `firstColumn` of `matrix`. These are multiples of the tile's extents.
  /// Elements beyond the edge of the matrix are zero. All threads of the block
  /// must execute this code. The caller emits barriers before and after it.
  void load(const DenseMatrix& matrix, mlir::Value firstRow,
            mlir::Value firstColumn, int64_t summed, int64_t across);
  /// Loads the same tile of `matrix` transposed: row `across`, column `summed`
  /// of the matrix.
  void loadTransposed(const DenseMatrix& matrix, mlir::Value firstRow,
                      mlir::Value firstColumn, int64_t summed, int64_t across);

  /// Loads `lanes` adjacent elements of row `summed` of the tile, from `across`
  /// on, a multiple of `lanes`.
  mlir::Value vectorAt(mlir::Value summed, mlir::Value across, int64_t lanes);
  /// Stores `vector` to adjacent elements of row `summed` of the tile, from
  /// `across` on, a multiple of the number of lanes.
  void store(mlir::Value vector, mlir::Value summed, mlir::Value across);

 private:
  /// Emits the share of the current thread in a nest of loops of `extents`;
  /// adjacent threads take adjacent iterations. `body` gets the indices and an
  /// addend for the outermost index. If the extents allow it, the indices do
  /// not change from one iteration of the thread to the next, and only the
  /// addend does, so that addresses are computed once.
  void forEachOwned(
      llvm::ArrayRef<int64_t> extents,
      llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value)> body);
  /// A position along one dimension of a matrix: first + index + addend, in a
  /// tile of `extent` that begins at `first`.
  struct TilePosition {
    mlir::Value first, index, addend;
    int64_t extent;
  };
  /// Loads the vector of `matrix` at a position; zeros beyond the edge.
  mlir::Value loadVector(const DenseMatrix& matrix, TilePosition rows,
                         TilePosition columns);
  ElementRef refOf(mlir::Value summed, mlir::Value across);

  KernelBuilder& builder_;
  mlir::Type compute_;
  int64_t stride_;
  ElementRef first_;
};

/// Returns `sums` plus the products of the first `summed` rows of the tiles.
/// `sums` has a vector for each row of the thread, with an element per column
/// of the thread. The thread's rows begin at `row` of the tile `left`, and its
/// columns at `column` of the tile `right`.
llvm::SmallVector<mlir::Value> addProducts(KernelBuilder& builder,
                                           llvm::ArrayRef<mlir::Value> sums,
                                           SharedTile& left, mlir::Value row,
                                           SharedTile& right,
                                           mlir::Value column, int64_t summed);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDTILE_H_
