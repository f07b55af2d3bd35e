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
//   C [64 rows, 64 columns] += A [64 rows, 16] * B [16, 64 columns]
//
// What lies beyond the edges is loaded as zero and not stored. Where there are
// few tiles and long sums, several blocks have parts of the sums of a tile, and
// a second launch adds these.

#ifndef CODEGEN_CUDA_TILEDPRODUCT_H_
#define CODEGEN_CUDA_TILEDPRODUCT_H_

#include <cstdint>
#include <memory>

#include "codegen/cuda/KernelOp.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

struct ProductExtents {
  int64_t batches = 1, rows = 1, columns = 1, summed = 1;
};

/// The tensors of a product, as the code of a launch reaches their elements.
class ProductTensors {
 public:
  /// An element of an operand, which is zero where the i1 `isThere` is false.
  struct Element {
    Place place;
    mlir::Value isThere;
  };

  /// The number of an element in the result, a dense tensor, which has none
  /// where the i1 `isThere` is false.
  struct Result {
    mlir::Value number;
    mlir::Value isThere;
  };

  virtual ~ProductTensors() = default;

  virtual Element left(mlir::Value batch, mlir::Value row,
                       mlir::Value summed) = 0;
  virtual Element right(mlir::Value batch, mlir::Value column,
                        mlir::Value summed) = 0;

  /// Whether neighbours in memory are neighbours along what is summed over, and
  /// not along rows or columns.
  virtual bool isLeftDenseAlongSum() const = 0;
  virtual bool isRightDenseAlongSum() const = 0;

  virtual Result result(mlir::Value batch, mlir::Value row,
                        mlir::Value column) = 0;
};

class TiledProduct {
 public:
  /// Makes the tensors for a launch.
  using MakeTensors = llvm::function_ref<std::unique_ptr<ProductTensors>(
      KernelBuilder&, const KernelArguments&)>;

  /// The result has type `result`, of floats, and all of its elements are some
  /// row and column of some batch.
  TiledProduct(ProductExtents extents, mlir::RankedTensorType result);

  int64_t scratchBytes() const;

  /// Adds launches that write all of the op's first result.
  void build(Launches& launches, MakeTensors makeTensors) const;

 private:
  int64_t summedOfPart() const;
  void emitTiles(KernelBuilder& builder, const KernelArguments& arguments,
                 ProductTensors& tensors) const;
  /// The parts of sums in scratch memory, [part, result].
  Place partialSums(KernelBuilder& builder, Place scratch) const;

  ProductExtents extents_;
  int64_t numResults_;
  mlir::Type compute_;
  int64_t tilesDown_, tilesAcross_;
  int64_t parts_;  // that a sum is divided into
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TILEDPRODUCT_H_
