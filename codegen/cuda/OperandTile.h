// The tile of an operand of a product, in shared memory: the rows of the left
// one, or the columns of the right one, of a tile of the result, and some of
// what is summed over.
//
// There are two, each in a half of the memory: while the threads of a block
// multiply one, each loads its share of the next one into registers, which it
// stores when it has multiplied.
//
// Rows or columns lie side by side, for each term: so a thread reads some
// neighbours at once, whichever way the operand lies in memory.

#ifndef CODEGEN_CUDA_OPERANDTILE_H_
#define CODEGEN_CUDA_OPERANDTILE_H_

#include <cstdint>

#include "codegen/cuda/ProductTensors.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// So many rows or columns, neighbours, a thread takes out of a tile at once.
inline constexpr int64_t kFragment = 4;

class OperandTile {
 public:
  using ElementAt = llvm::function_ref<ProductTensors::Element(
      mlir::Value across, mlir::Value summed)>;

  struct Extents {
    int64_t across;  // rows or columns
    int64_t summed;
  };

  /// The place of the tile in the operand is said when it is loaded.
  OperandTile(KernelBuilder& builder, mlir::Type compute, Extents tile,
              Extents operand, ProductTensors::Layout layout);

  /// Loads the share of `thread` of the tile from row or column `firstAcross`
  /// and term `firstSummed` on. Behind the last row or column it is there once
  /// more, which makes no difference to other ones; behind the last term are
  /// zeros.
  llvm::SmallVector<mlir::Value> load(mlir::Value thread,
                                      mlir::Value firstAcross,
                                      mlir::Value firstSummed, ElementAt at);

  /// Stores what load() has given into half 0 or 1 of the memory.
  void store(mlir::Value thread, llvm::ArrayRef<mlir::Value> loaded,
             mlir::Value half);

  /// The vector of kFragment rows or columns of the tile in `half` from
  /// `across` on, of term `summed`.
  mlir::Value fragment(mlir::Value half, mlir::Value summed,
                       mlir::Value across);

 private:
  struct Spot {
    mlir::Value across, summed;
  };

  int64_t numLoads() const;
  Spot spotOf(mlir::Value thread, int64_t load);
  Place placeOf(mlir::Value half, Spot spot);
  int64_t acrossInMemory() const;

  KernelBuilder& builder_;
  mlir::Type compute_;
  Extents tile_, operand_;
  bool isDenseAlongSum_;
  int64_t lanes_;  // of a load
  Place shared_;   // [2, summed, across and some more]
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_OPERANDTILE_H_
