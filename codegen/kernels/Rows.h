// Kernels that work on rows: softmax, normalisation, reductions.
//
// A tensor is seen as outer x length x inner, its rows running along the
// middle. A kernel is written once, for a block of rows, and each target has
// its own way to go through them:
//
//   loops.forEachRows(builder, shape, f32, [&](Rows& rows) {
//     Value sum = rows.reduce(kSum, [&](Rows::At at) {
//       return rows.load(in, at); });
//     rows.forEach([&](Rows::At at) {
//       rows.store(x.div(rows.load(in, at), sum), out, at); });
//   });
//
// Values are vectors: a CPU has neighbouring elements of a row in them, or
// neighbouring rows, if these lie side by side (inner > 1); a thread of a GPU
// likewise, of its share of a row.

#ifndef CODEGEN_KERNELS_ROWS_H_
#define CODEGEN_KERNELS_ROWS_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// A dense tensor as rows of `length` elements that are `inner` apart.
struct RowShape {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

/// The rows of a tensor along dimension `dim`.
RowShape rowsAlong(mlir::RankedTensorType type, int64_t dim);

class Rows {
 public:
  /// A vector's worth of elements of the block of rows.
  struct At {
    mlir::Value offset;  // of the first element, in a tensor of the shape
    mlir::Value along;   // its position in its row
    int64_t count;       // lanes that are elements
  };

  virtual ~Rows() = default;

  /// Runs through the rows of the block.
  virtual void forEach(llvm::function_ref<void(At)> body) = 0;

  /// Combines the vectors that `term` gives along each row; all lanes of the
  /// result that belong to a row have its value. Of an empty row that is the
  /// neutral element.
  virtual mlir::Value reduce(mlir::vector::CombiningKind kind,
                             llvm::function_ref<mlir::Value(At)> term) = 0;

  virtual mlir::Value load(Place tensor, At at) = 0;
  virtual void store(mlir::Value vector, Place tensor, At at) = 0;

  /// Elements of a tensor of shape [length], the same for all rows.
  virtual mlir::Value loadShared(Place tensor, At at) = 0;

  /// The rows of the block in a tensor of shape outer x inner: stores what
  /// `reduce` gave, or loads the like.
  virtual mlir::Value loadOnePerRow(Place tensor) = 0;
  virtual void storeOnePerRow(mlir::Value vector, Place tensor) = 0;

  /// The number of the block's first row: outer * inner are all.
  virtual mlir::Value firstRow() const = 0;

  virtual mlir::VectorType vectorType() const = 0;
};

/// The value that changes nothing when combined, in every lane of `type`.
mlir::Value neutralElement(KernelBuilder& builder,
                           mlir::vector::CombiningKind kind,
                           mlir::VectorType type);

/// `a` and `b`, numbers or vectors, combined.
mlir::Value combine(KernelBuilder& builder, mlir::vector::CombiningKind kind,
                    mlir::Value a, mlir::Value b);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_ROWS_H_
