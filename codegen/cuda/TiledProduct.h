// Emits matrix products in tiles, for contractions and convolutions:
//
//   C[row, column] = sum over k of A[row, k] * B[k, column]      in each batch
//
// A block of threads computes a tile of C in one batch. It loops over slices of
// K: its threads load the tiles of both operands to shared memory, and multiply
// them; each thread has the sums of some rows and columns in registers.
//
//   C [128 rows, 128 columns] += A [128 rows, 8] * B [8, 128 columns]
//
// These are the largest tiles, for elements of f32; ProductTiling.h has the
// others.
//
// Elements beyond the edges of C are not stored. If the sums are divided into
// parts (ProductTiling.h), a second launch adds the parts up.

#ifndef CODEGEN_CUDA_TILEDPRODUCT_H_
#define CODEGEN_CUDA_TILEDPRODUCT_H_

#include <cstdint>
#include <memory>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ProductTensors.h"
#include "codegen/cuda/ProductTiling.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

/// One batch of matrix products: its tiling, scratch memory and launches.
class TiledProduct {
 public:
  /// A function that creates the access to the tensors in the code of a launch.
  using MakeTensors = llvm::function_ref<std::unique_ptr<ProductTensors>(
      KernelBuilder&, const KernelArguments&)>;

  /// Describes a product of `extents`. The result is a dense tensor of floats,
  /// of type `result`. Each of its elements must be at some row and column of
  /// some batch.
  TiledProduct(const ProductExtents& extents, mlir::RankedTensorType result);

  /// Bytes of scratch memory that build() uses: one copy of the result for each
  /// part of the sums, or 0 if sums are not divided.
  int64_t scratchBytes() const;

  /// Whether tiles are as large as possible, 128 x 128. A thread then has 64
  /// sums, in as many registers.
  bool hasLargestTiles() const {
    return tiling_.rows() > ProductTiling::kSquare &&
           tiling_.columns() > ProductTiling::kSquare;
  }

  /// Adds the launches that write every element of the op's first result: one,
  /// or two if sums are divided. `makeTensors` is called for the first launch.
  void build(Launches& launches, MakeTensors makeTensors) const;

 private:
  void emitTiles(KernelBuilder& builder, const KernelArguments& arguments,
                 ProductTensors& tensors) const;
  /// Returns the parts of the sums in scratch memory, [part, element of the
  /// result].
  ElementRef partialSums(KernelBuilder& builder, ElementRef scratch) const;

  ProductTiling tiling_;
  int64_t numResults_;  // elements of the result
  mlir::Type compute_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TILEDPRODUCT_H_
