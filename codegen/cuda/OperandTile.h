// A tile of one operand of a matrix product, in shared memory. For a tile of
// the result, it has the rows of the left operand or the columns of the right
// one, and a slice of the dimension that is summed over (K).
//
// The tile is double-buffered. While the threads of a block multiply the tile
// in one half of the memory, each thread loads its share of the next tile into
// registers, and stores it to the other half afterwards.
//
// In shared memory the rows (or columns) of one K index are contiguous,
// whatever the layout of the operand. So a thread reads several of them at
// once.

#ifndef CODEGEN_CUDA_OPERANDTILE_H_
#define CODEGEN_CUDA_OPERANDTILE_H_

#include <cstdint>

#include "codegen/cuda/ProductTensors.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Number of adjacent rows or columns that a thread reads from a tile at once.
inline constexpr int64_t kFragment = 4;

class OperandTile {
 public:
  /// Returns the element of the operand at a row or column `across` and a K
  /// index `summed`.
  using ElementAt = llvm::function_ref<ProductTensors::Element(
      mlir::Value across, mlir::Value summed)>;

  struct Extents {
    int64_t across;  // number of rows or columns
    int64_t summed;  // number of K indices
  };

  /// Allocates the shared memory of a tile of extents `tile`, of an operand of
  /// extents `operand`, with elements of type `compute`.
  OperandTile(KernelBuilder& builder, mlir::Type compute, Extents tile,
              Extents operand, ProductTensors::Layout layout);

  /// Loads the elements that `thread` contributes to the tile that begins at
  /// row or column `firstAcross` and K index `firstSummed`. Beyond the last row
  /// or column it loads valid elements again, whose products are not stored.
  /// Beyond the last K index the tile holds zeros.
  llvm::SmallVector<mlir::Value> load(mlir::Value thread,
                                      mlir::Value firstAcross,
                                      mlir::Value firstSummed, ElementAt at);

  /// Stores `loaded`, which load() has returned, to `half` 0 or 1 of the
  /// memory.
  void store(mlir::Value thread, llvm::ArrayRef<mlir::Value> loaded,
             mlir::Value half);

  /// Returns the vector of kFragment rows or columns from `across` on, at K
  /// index `summed`, of the tile in `half`.
  mlir::Value fragment(mlir::Value half, mlir::Value summed,
                       mlir::Value across);

 private:
  /// A position in the tile.
  struct Position {
    mlir::Value across, summed;
  };

  int64_t numLoads() const;
  Position positionOf(mlir::Value thread, int64_t load);
  ElementRef refOf(mlir::Value half, Position position);
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
