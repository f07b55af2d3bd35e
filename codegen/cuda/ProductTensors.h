// The tensors of a product of matrices, as the code of a launch reaches their
// elements.

#ifndef CODEGEN_CUDA_PRODUCTTENSORS_H_
#define CODEGEN_CUDA_PRODUCTTENSORS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

class ProductTensors {
 public:
  /// How an operand lies in memory. Its neighbours there are neighbours along
  /// what is summed over, or else along its rows or columns, as far as they are
  /// neighbours at all. In that direction the `lanes` elements from a multiple
  /// of `lanes` on lie side by side, from a multiple of `lanes` on; the extent
  /// is such a multiple, and all of them are there if the first one is.
  struct Layout {
    bool isDenseAlongSum = false;
    int64_t lanes = 1;  // a power of two, of no more bytes than one access has
  };

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

  virtual Layout leftLayout() const = 0;
  virtual Layout rightLayout() const = 0;
  /// The same of columns of the result, as Layout says it of an operand.
  virtual int64_t resultLanes() const = 0;

  virtual Element left(mlir::Value batch, mlir::Value row,
                       mlir::Value summed) = 0;
  virtual Element right(mlir::Value batch, mlir::Value column,
                        mlir::Value summed) = 0;
  virtual Result result(mlir::Value batch, mlir::Value row,
                        mlir::Value column) = 0;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTENSORS_H_
