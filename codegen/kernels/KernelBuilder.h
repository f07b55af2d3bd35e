// The vocabulary in which kernels are written: loops, places, vectors.
//
// A kernel sees a tensor as its elements in memory, one after another, and adds
// up offsets itself. A `Place` is an element of such a buffer:
//
//   builder.loop(0, rows, 1, [&](Value row) {
//     Place in = builder.at(input, builder.mul(row, columns));
//     builder.loop(0, columns, lanes, [&](Value column) { ... load(in, column)
//     ... });
//   });
//
// Offsets count elements. What is constant is computed here and not in the
// kernel, and a loop of one iteration is no loop, so that code written for the
// general case costs nothing in a special one.

#ifndef CODEGEN_KERNELS_KERNELBUILDER_H_
#define CODEGEN_KERNELS_KERNELBUILDER_H_

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace sbp {

/// Element `offset` (an index) of `buffer`, a memref of one dimension.
struct Place {
  mlir::Value buffer;
  mlir::Value offset;

  mlir::Type elementType() const;
};

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
 public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // ---- Indices ----

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value add(mlir::Value left, int64_t right);
  mlir::Value sub(mlir::Value left, mlir::Value right);
  mlir::Value mul(mlir::Value left, int64_t right);
  mlir::Value min(mlir::Value left, mlir::Value right);
  mlir::Value max(mlir::Value left, mlir::Value right);
  /// Quotient and remainder of a left that is not negative.
  mlir::Value div(mlir::Value left, int64_t right);
  mlir::Value rem(mlir::Value left, int64_t right);
  mlir::Value isLess(mlir::Value left, mlir::Value right);
  mlir::Value isEqual(mlir::Value left, mlir::Value right);

  // ---- Control ----

  using Body = llvm::function_ref<void(mlir::Value)>;
  using CarryingBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value, mlir::ValueRange)>;

  /// for (i = begin; i < end; i += step) body(i)
  void loop(mlir::Value begin, mlir::Value end, int64_t step, Body body);
  void loop(int64_t begin, int64_t end, int64_t step, Body body);

  /// The same with values carried from one iteration to the next; returns those
  /// of the last, or `initial` if there is none.
  llvm::SmallVector<mlir::Value> loop(mlir::Value begin, mlir::Value end,
                                      int64_t step, mlir::ValueRange initial,
                                      CarryingBody body);

  /// One `loop` for each extent, outermost first; the body gets all indices.
  void loops(llvm::ArrayRef<int64_t> extents,
             llvm::function_ref<void(mlir::ValueRange)> body);

  void branch(mlir::Value condition, llvm::function_ref<void()> then);
  llvm::SmallVector<mlir::Value> branch(
      mlir::Value condition,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);

  // ---- Memory ----

  Place at(Place place, mlir::Value elements);
  Place at(Place place, int64_t elements);

  /// `numElements` elements of another type in the i8 buffer `bytes`, from byte
  /// `offset` on.
  Place view(Place bytes, int64_t offset, mlir::Type element,
             int64_t numElements);

  mlir::Value load(Place place);
  void store(mlir::Value value, Place place);

  /// `lanes` consecutive elements.
  mlir::Value loadVector(Place place, int64_t lanes);
  void storeVector(mlir::Value vector, Place place);
  /// The first `count` lanes only (all, if `count` is `lanes`); the others of a
  /// loaded vector are zero.
  mlir::Value loadLanes(Place place, int64_t lanes, int64_t count);
  void storeLanes(mlir::Value vector, Place place, int64_t count);

  /// Asks for the cache line of `place`, which is to be written soon.
  void prefetchForWrite(Place place);

  // ---- Numbers ----

  /// A constant of a float type or a vector of one.
  mlir::Value number(mlir::Type type, double value);
  mlir::Value broadcast(mlir::Value scalar, int64_t lanes);
  /// a * b + c, in one rounding where the CPU can.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
};

/// What a kernel is told of one of its buffers.
struct BufferType {
  mlir::Type element;
  int64_t numElements = 0;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELBUILDER_H_
