// A tile of one operand of a matrix product, in shared memory. The tile has the
// rows of the left operand, or the columns of the right one, that are needed
// for a tile of the result. Of the dimension that is summed over (K), it has a
// slice.
//
// The tile is double-buffered: its memory has two halves. Each thread loads its
// share of the next tile into registers (load()), multiplies the tile in one
// half (fragment()), and then stores the share to the other half (store()). The
// caller emits a barrier between store() and fragment().
//
// In shared memory the rows (or columns) of one K index are contiguous,
// whatever the layout of the operand. So a thread reads several rows (or
// columns) at once.

#ifndef CODEGEN_CUDA_OPERANDTILE_H_
#define CODEGEN_CUDA_OPERANDTILE_H_

#include <cstdint>

#include "codegen/cuda/ProductTensors.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Number of adjacent rows or columns that a thread reads from a tile at once.
inline constexpr int64_t kFragment = 4;

/// Emits the code of all threads of a block for the tile.
class OperandTile {
 public:
  /// Returns the element of the operand at row (or column) `across` and K index
  /// `summed`. `summed` may be beyond the last K index; the element is not
  /// loaded then. `across` is never beyond the last row (or column).
  using ElementAt = llvm::function_ref<ProductTensors::Element(
      mlir::Value across, mlir::Value summed)>;

  /// The extents of a tile, or of the whole operand.
  struct Extents {
    int64_t across;  // number of rows or columns
    int64_t summed;  // number of K indices
  };

  /// Allocates the shared memory of a tile of extents `tile`, of an operand of
  /// extents `operand` in `layout`. The tile has elements of type `compute`,
  /// and at least one per thread of the block.
  OperandTile(KernelBuilder& builder, mlir::Type compute, Extents tile,
              Extents operand, ProductTensors::Layout layout);

  /// Loads the elements that `thread`, an index in the block, contributes to
  /// the tile that begins at row (or column) `firstAcross` and K index
  /// `firstSummed` of the operand. Returns the elements in vectors, in the type
  /// that they have in the operand. Beyond the last row (or column), elements
  /// of the last rows (or columns) are loaded again, since products there are
  /// not stored. Beyond the last K index, and for elements that are not valid,
  /// the results are zeros.
  llvm::SmallVector<mlir::Value> load(mlir::Value thread,
                                      mlir::Value firstAcross,
                                      mlir::Value firstSummed, ElementAt at);

  /// Converts `loaded`, which load() has returned for `thread`, to the element
  /// type of the tile, and stores it to `half` of the memory, an index of value
  /// 0 or 1.
  void store(mlir::Value thread, llvm::ArrayRef<mlir::Value> loaded,
             mlir::Value half);

  /// Returns kFragment elements of the tile in `half` as a vector: the rows (or
  /// columns) from `across` on, at K index `summed`. Both indices count in the
  /// tile; `across` is a multiple of kFragment.
  mlir::Value fragment(mlir::Value half, mlir::Value summed,
                       mlir::Value across);

 private:
  /// A position in the tile.
  struct Position {
    mlir::Value across, summed;
  };

  /// Number of vectors that each thread loads for a tile.
  int64_t numLoads() const;
  Position positionOf(mlir::Value thread, int64_t load);
  ElementRef refOf(mlir::Value half, Position position);
  /// Number of elements per K index in memory, with padding.
  int64_t acrossInMemory() const;

  KernelBuilder& builder_;
  mlir::Type compute_;
  Extents tile_, operand_;
  bool isDenseAlongSum_;
  int64_t lanes_;      // number of elements of one load
  ElementRef shared_;  // [2 halves, summed, across + padding]
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_OPERANDTILE_H_
