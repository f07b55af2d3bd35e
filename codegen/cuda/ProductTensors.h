// Access to the tensors of a matrix product (TiledProduct.h). An einsum and a
// convolution differ only in how the row, column and K index of an element
// become its offset; each implements this interface.

#ifndef CODEGEN_CUDA_PRODUCTTENSORS_H_
#define CODEGEN_CUDA_PRODUCTTENSORS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

class ProductTensors {
 public:
  /// The layout of an operand. Its direction is the one in which adjacent
  /// elements are adjacent in memory: along K (the dimension that is summed
  /// over), or along the rows or columns.
  ///
  /// Elements can be accessed in vectors of `lanes`: each group of `lanes`
  /// elements in that direction, from a multiple of `lanes` on, is contiguous
  /// and begins at an offset that is a multiple of `lanes`. The extent is also
  /// a multiple of `lanes`, and all elements of a group are valid if the first
  /// one is.
  struct Layout {
    bool isDenseAlongSum = false;  // whether the direction is K
    int64_t lanes = 1;  // a power of two; at most kBytesOfAccess bytes
  };

  /// An element of an operand. Its value is zero if the i1 `isValid` is false.
  struct Element {
    ElementRef ref;
    mlir::Value isValid;
  };

  /// An element of the result, which is dense, by its offset. The result has no
  /// such element if the i1 `isValid` is false.
  struct Result {
    mlir::Value number;
    mlir::Value isValid;
  };

  virtual ~ProductTensors() = default;

  virtual Layout leftLayout() const = 0;
  virtual Layout rightLayout() const = 0;
  /// Number of adjacent columns of the result that one access can store; the
  /// same conditions hold as for Layout::lanes.
  virtual int64_t resultLanes() const = 0;

  /// Emits the offset of an element of the left operand. `summed` is the K
  /// index.
  virtual Element left(mlir::Value batch, mlir::Value row,
                       mlir::Value summed) = 0;
  /// Emits the offset of an element of the right operand.
  virtual Element right(mlir::Value batch, mlir::Value column,
                        mlir::Value summed) = 0;
  /// Emits the offset of an element of the result.
  virtual Result result(mlir::Value batch, mlir::Value row,
                        mlir::Value column) = 0;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTENSORS_H_
