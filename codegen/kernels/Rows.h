// Kernels that work on rows: softmax, normalisation, reductions.
//
// A tensor is seen as outer x length x inner, with rows along the middle
// dimension. A kernel is written once, for a block of rows; each target loops
// over the blocks, and over the elements of a block, in its own way:
//
//   loops.forEachRows(builder, shape, f32, [&](Rows& rows) {
//     Value sum = rows.reduce(kSum, [&](Rows::At at) {
//       return rows.load(in, at); });
//     rows.forEach([&](Rows::At at) {
//       rows.store(x.div(rows.load(in, at), sum), out, at); });
//   });
//
// Values are vectors. A vector holds adjacent elements of one row or, if
// adjacent elements belong to different rows (inner > 1), one element of each
// of several adjacent rows. On a GPU each thread has vectors of its own.

#ifndef CODEGEN_KERNELS_ROWS_H_
#define CODEGEN_KERNELS_ROWS_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// A dense tensor seen as outer x inner rows. A row has `length` elements,
/// which are `inner` elements apart in memory.
struct RowShape {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

/// Returns the shape of the rows along dimension `dim` of a tensor of `type`.
RowShape rowsAlong(mlir::RankedTensorType type, int64_t dim);

/// The block of rows whose code is being emitted.
class Rows {
 public:
  /// The position of one vector of elements in the block of rows.
  struct At {
    mlir::Value offset;  // of the first lane, in a tensor of the rows' shape
    mlir::Value along;   // index of the first lane's element in its row
    int64_t count;       // number of lanes that hold elements: the first ones
  };

  virtual ~Rows() = default;

  /// Emits a loop over the vectors of the block's rows. `body` emits the code
  /// for the vector at a position. It is called once for each kind of vector,
  /// full or partial, that occurs.
  virtual void forEach(llvm::function_ref<void(At)> body) = 0;

  /// Combines, along each row, the vectors that `term` returns; lanes without
  /// an element are ignored. In the result, each lane that belongs to a row
  /// holds the combined value of that row: the neutral element if the row is
  /// empty. On a GPU all threads that share the row must execute this code.
  virtual mlir::Value reduce(mlir::vector::CombiningKind kind,
                             llvm::function_ref<mlir::Value(At)> term) = 0;

  /// Loads or stores the vector at `at` of a tensor of the rows' shape.
  virtual mlir::Value load(ElementRef tensor, At at) = 0;
  virtual void store(mlir::Value vector, ElementRef tensor, At at) = 0;

  /// Loads the elements at `at` of a tensor of shape [length], which is the
  /// same for all rows.
  virtual mlir::Value loadShared(ElementRef tensor, At at) = 0;

  /// Loads or stores one element per row of the block, in a tensor of shape
  /// outer x inner. As in a result of `reduce`, each lane that belongs to a row
  /// holds the element of that row.
  virtual mlir::Value loadOnePerRow(ElementRef tensor) = 0;
  virtual void storeOnePerRow(mlir::Value vector, ElementRef tensor) = 0;

  /// Index of the block's first row among all outer * inner rows.
  virtual mlir::Value firstRow() const = 0;

  /// The type of the vectors. Its elements are f32 if a GPU loads bf16, and
  /// have the type of the tensors' elements otherwise.
  virtual mlir::VectorType vectorType() const = 0;
};

/// Returns a vector of `type` that has the neutral element of `kind` in every
/// lane. A value that is combined with the neutral element stays the same.
/// `kind` must be a sum, maximum or minimum. Integers are signed.
mlir::Value neutralElement(KernelBuilder& builder,
                           mlir::vector::CombiningKind kind,
                           mlir::VectorType type);

/// Returns `a` and `b`, scalars or vectors, combined by `kind`.
mlir::Value combine(KernelBuilder& builder, mlir::vector::CombiningKind kind,
                    mlir::Value a, mlir::Value b);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_ROWS_H_
