// The builder with which the code of kernels is written: index arithmetic,
// loops, loads and stores.
//
// A kernel sees a tensor as a one-dimensional buffer of elements and computes
// offsets into it. An ElementRef refers to one element of such a buffer:
//
//   builder.loop(0, rows, 1, [&](Value row) {
//     ElementRef in = builder.at(input, builder.mul(row, columns));
//     builder.loop(0, columns, lanes, [&](Value column) {
//       Value vector = builder.loadVector(builder.at(in, column), lanes);
//       ...
//     });
//   });
//
// Offsets are in elements. The builder folds constants. If the bounds of a loop
// are constant and it has at most one iteration, the builder emits no loop. So
// code that is written for the general case costs nothing in a special case.

#ifndef CODEGEN_KERNELS_KERNELBUILDER_H_
#define CODEGEN_KERNELS_KERNELBUILDER_H_

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace sbp {

/// A reference to element `offset`, an index, of the one-dimensional memref
/// `buffer`.
struct ElementRef {
  mlir::Value buffer;
  mlir::Value offset;

  mlir::Type elementType() const;
};

/// Emits ops at an insertion point, at one location.
class KernelBuilder : public mlir::ImplicitLocOpBuilder {
 public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // ---- Indices ----
  // Sums, differences and products must not overflow. Comparisons are signed.

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value add(mlir::Value left, int64_t right);
  mlir::Value sub(mlir::Value left, mlir::Value right);
  mlir::Value mul(mlir::Value left, int64_t right);
  mlir::Value min(mlir::Value left, mlir::Value right);
  mlir::Value max(mlir::Value left, mlir::Value right);
  /// Returns the unsigned quotient or remainder. A negative `left` counts as a
  /// large number.
  mlir::Value div(mlir::Value left, int64_t right);
  mlir::Value rem(mlir::Value left, int64_t right);
  mlir::Value isLess(mlir::Value left, mlir::Value right);
  mlir::Value isEqual(mlir::Value left, mlir::Value right);

  // ---- Control ----

  using Body = llvm::function_ref<void(mlir::Value)>;
  using CarryingBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value, mlir::ValueRange)>;

  /// Emits for (i = begin; i < end; i += step) body(i). `step` is positive.
  void loop(mlir::Value begin, mlir::Value end, int64_t step, Body body);
  void loop(int64_t begin, int64_t end, int64_t step, Body body);

  /// Emits a loop that carries values from one iteration to the next. `body`
  /// gets the index and the carried values, and returns the next ones. Returns
  /// the values after the last iteration: `initial` if there is no iteration.
  llvm::SmallVector<mlir::Value> loop(mlir::Value begin, mlir::Value end,
                                      int64_t step, mlir::ValueRange initial,
                                      CarryingBody body);

  /// Emits one loop per extent, outermost first; `body` gets all indices.
  void loops(llvm::ArrayRef<int64_t> extents,
             llvm::function_ref<void(mlir::ValueRange)> body);

  /// Emits an if on `condition`, an i1. The second form returns the values of
  /// the side that is executed; `then` and `otherwise` return the same number
  /// of values. If `condition` is constant, only the side that it selects is
  /// emitted, without the if.
  void branch(mlir::Value condition, llvm::function_ref<void()> then);
  llvm::SmallVector<mlir::Value> branch(
      mlir::Value condition,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);

  // ---- Memory ----

  /// Returns a reference to the element that lies `elements` elements after the
  /// element of `ref`.
  ElementRef at(ElementRef ref, mlir::Value elements);
  ElementRef at(ElementRef ref, int64_t elements);

  /// Returns a reference to the first of `numElements` elements of type
  /// `element` that lie in the buffer of `bytes`, a buffer of i8. The first one
  /// lies `offset` bytes after `bytes`.
  ElementRef view(ElementRef bytes, int64_t offset, mlir::Type element,
                  int64_t numElements);

  mlir::Value load(ElementRef ref);
  void store(mlir::Value value, ElementRef ref);

  /// Loads or stores `lanes` consecutive elements as one vector.
  mlir::Value loadVector(ElementRef ref, int64_t lanes);
  void storeVector(mlir::Value vector, ElementRef ref);
  /// Loads or stores the first `count` lanes of a vector of `lanes` lanes. The
  /// memory of the other lanes is not accessed; in a loaded vector these lanes
  /// are zero.
  mlir::Value loadLanes(ElementRef ref, int64_t lanes, int64_t count);
  void storeLanes(mlir::Value vector, ElementRef ref, int64_t count);

  /// Prefetches the cache line of an element, for a store that follows soon.
  void prefetchForWrite(ElementRef ref);

  // ---- Numbers ----

  /// Returns the constant `value` of `type`, a float or a vector of floats.
  mlir::Value number(mlir::Type type, double value);
  mlir::Value broadcast(mlir::Value scalar, int64_t lanes);
  /// Returns a * b + c of floats, in a form that LLVM turns into a fused
  /// multiply-add if the target has this instruction.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
};

/// The type of one buffer argument of a kernel.
struct BufferType {
  mlir::Type element;
  int64_t numElements = 0;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELBUILDER_H_
