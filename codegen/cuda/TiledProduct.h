// Products of matrices, in tiles: what contractions and convolutions are made
// of.
//
//   C[row, column] = sum over k of A[row, k] * B[k, column]      in each batch
//
// A block computes a tile of rows x columns of one batch. It goes through what
// is summed over piece by piece; of each its threads load the tiles of both
// operands into shared memory, and multiply them, each for some rows and
// columns in registers:
//
//   C [128 rows, 128 columns] += A [128 rows, 8] * B [8, 128 columns]
//
// What lies beyond the edges of the result is not stored. Where sums are
// divided into parts (ProductTiling.h), a second launch adds these.

#ifndef CODEGEN_CUDA_TILEDPRODUCT_H_
#define CODEGEN_CUDA_TILEDPRODUCT_H_

#include <cstdint>
#include <memory>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ProductTensors.h"
#include "codegen/cuda/ProductTiling.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

class TiledProduct {
 public:
  /// Makes the tensors for a launch.
  using MakeTensors = llvm::function_ref<std::unique_ptr<ProductTensors>(
      KernelBuilder&, const KernelArguments&)>;

  /// The result has type `result`, of floats, and all of its elements are some
  /// row and column of some batch.
  TiledProduct(const ProductExtents& extents, mlir::RankedTensorType result);

  int64_t scratchBytes() const;

  /// Whether sums take all the registers of a thread that they ever do.
  bool hasLargestTiles() const {
    return tiling_.rows() > ProductTiling::kSquare &&
           tiling_.columns() > ProductTiling::kSquare;
  }

  /// Adds launches that write all of the op's first result.
  void build(Launches& launches, MakeTensors makeTensors) const;

 private:
  void emitTiles(KernelBuilder& builder, const KernelArguments& arguments,
                 ProductTensors& tensors) const;
  /// The parts of sums in scratch memory, [part, result].
  Place partialSums(KernelBuilder& builder, Place scratch) const;

  ProductTiling tiling_;
  int64_t numResults_;
  mlir::Type compute_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TILEDPRODUCT_H_
