// Access to the tensors of a matrix product (TiledProduct.h). An einsum and a
// convolution differ only in how the row, column and K index of an element
// become its offset; each implements this interface.

#ifndef CODEGEN_CUDA_PRODUCTTENSORS_H_
#define CODEGEN_CUDA_PRODUCTTENSORS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// The tensors of a batch of products: left operand [row, K], right operand
/// [K, column], result [row, column]. K is the dimension that is summed over.
class ProductTensors {
 public:
  /// The layout of an operand, for access in vectors of `lanes` elements.
  ///
  /// A vector has adjacent K indices if `isDenseAlongSum`, else adjacent rows
  /// (of the left operand) or columns (of the right one). In this direction the
  /// extent is a multiple of `lanes`. Every vector that begins at a multiple of
  /// `lanes` is contiguous in memory, at an offset that is a multiple of
  /// `lanes`; if its first element is valid, all are.
  struct Layout {
    bool isDenseAlongSum = false;
    int64_t lanes = 1;  // a power of two, with at most kBytesOfAccess bytes
  };

  /// An element of an operand. Its value is zero if the i1 `isValid` is false.
  struct Element {
    ElementRef ref;
    mlir::Value isValid;
  };

  /// An element of the result, a dense tensor. If the i1 `isValid` is false,
  /// the result has no such element.
  struct Result {
    mlir::Value number;  // offset of the element in the result
    mlir::Value isValid;
  };

  virtual ~ProductTensors() = default;

  /// Returns the layout of the left or of the right operand.
  virtual Layout leftLayout() const = 0;
  virtual Layout rightLayout() const = 0;
  /// Number of adjacent columns of the result that one access can store; the
  /// same conditions hold as for Layout::lanes.
  virtual int64_t resultLanes() const = 0;

  /// Emits the access to an element of the left operand. `summed` is the K
  /// index; if it is beyond the last one, the caller ignores the element. `row`
  /// is never beyond the last row.
  virtual Element left(mlir::Value batch, mlir::Value row,
                       mlir::Value summed) = 0;
  /// Emits the access to an element of the right operand. As for left(),
  /// `summed` may be beyond the last K index; `column` is never beyond the last
  /// column.
  virtual Element right(mlir::Value batch, mlir::Value column,
                        mlir::Value summed) = 0;
  /// Emits the offset of an element of the result. `row` or `column` may be
  /// beyond the last one; the caller ignores the element then.
  virtual Result result(mlir::Value batch, mlir::Value row,
                        mlir::Value column) = 0;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTENSORS_H_
