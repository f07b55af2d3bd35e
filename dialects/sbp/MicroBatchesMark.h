// The mark of a function that is to be trained with the number of micro-batches
// into which its batch is divided:
//
//   func.func @loss(...) attributes {nn.optimizer = #nn.sgd,
//                                    sbp.micro_batches = 4 : i64} { ... }
//
// A schedule (sbp.schedule) has its own number, so the mark is for programs
// without one.

#ifndef DIALECTS_SBP_MICROBATCHESMARK_H_
#define DIALECTS_SBP_MICROBATCHESMARK_H_

#include <cstdint>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Name of the attribute, a positive integer.
inline constexpr llvm::StringLiteral kMicroBatchesAttrName =
    "sbp.micro_batches";

/// Returns the number with which `function` is marked; 0 if it is not.
inline int64_t markedMicroBatches(mlir::Operation* function) {
  auto mark = function->getAttrOfType<mlir::IntegerAttr>(kMicroBatchesAttrName);
  return mark ? mark.getInt() : 0;
}

/// Marks `function` with `number`, which must be positive.
inline void markMicroBatches(mlir::Operation* function, int64_t number) {
  function->setAttr(
      kMicroBatchesAttrName,
      mlir::Builder(function->getContext()).getI64IntegerAttr(number));
}

}  // namespace sbp

#endif  // DIALECTS_SBP_MICROBATCHESMARK_H_
