// Kernels that work on rows: softmax, normalisation, reductions.
//
// A tensor is seen as outer x length x inner, its rows running along the
// middle. There are two ways to put rows into vectors, and a kernel is written
// once for both:
//
//   inner == 1   one row at a time, vectors along it; a sum over the row ends
//                with a sum over the lanes
//   inner > 1    neighbouring rows side by side, one in each lane; a sum over
//   the
//                row needs no sum over lanes
//
//   Rows::forEach(builder, target, shape, f32, [&](Rows& rows) {
//     Value sum = rows.reduce(kSum, [&](Rows::At at) { return rows.load(in,
//     at); }); rows.forEach([&](Rows::At at) { rows.store(x.div(rows.load(in,
//     at), sum), out, at); });
//   });
//
// A vector here is several registers wide, so that a reduction has as many
// independent sums. What is left over at the end of a row is masked.

#ifndef CODEGEN_CPU_LOWER_ROWS_H_
#define CODEGEN_CPU_LOWER_ROWS_H_

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

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

  /// Emits loops over blocks of rows; `body` emits the code of one block, and
  /// is called for each kind of block that there is. `element` is the type of
  /// the vectors' elements.
  static void forEach(KernelBuilder& builder, const Target& target,
                      RowShape shape, mlir::Type element,
                      llvm::function_ref<void(Rows&)> body);

  /// Runs through the rows of the block.
  void forEach(llvm::function_ref<void(At)> body);

  /// Combines the vectors that `term` gives along each row; all lanes of the
  /// result that belong to a row have its value. Of an empty row that is the
  /// neutral element.
  mlir::Value reduce(mlir::vector::CombiningKind kind,
                     llvm::function_ref<mlir::Value(At)> term);

  mlir::Value load(Place tensor, At at);
  void store(mlir::Value vector, Place tensor, At at);

  /// Elements of a tensor of shape [length], the same for all rows.
  mlir::Value loadShared(Place tensor, At at);

  /// The rows of the block in a tensor of shape outer x inner: stores what
  /// `reduce` gave, or loads the like.
  mlir::Value loadOnePerRow(Place tensor);
  void storeOnePerRow(mlir::Value vector, Place tensor);

  /// The number of the block's first row: outer * inner are all.
  mlir::Value firstRow() const { return firstRow_; }

  mlir::VectorType vectorType() const { return vectorType_; }

 private:
  Rows(KernelBuilder& builder, RowShape shape, mlir::VectorType vectorType,
       mlir::Value firstOffset, mlir::Value firstRow, int64_t numRows)
      : builder_(builder),
        shape_(shape),
        vectorType_(vectorType),
        firstOffset_(firstOffset),
        firstRow_(firstRow),
        numRows_(numRows) {}

  bool isOneRow() const { return shape_.inner == 1; }

  KernelBuilder& builder_;
  RowShape shape_;
  mlir::VectorType vectorType_;
  mlir::Value firstOffset_;
  mlir::Value firstRow_;
  int64_t numRows_;  // in the block
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_ROWS_H_
