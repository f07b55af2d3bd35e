// An op that may be invalid, until its verifier has been asked.

#ifndef CODEGEN_CHECK_OPTRIAL_H_
#define CODEGEN_CHECK_OPTRIAL_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OperationSupport.h"

namespace sbp::check {

/// The parts of an op on tensors: what is drawn at random.
struct OpTrial {
  Location location;
  mlir::OperationName name;
  SmallVector<RankedTensorType> operands;
  /// Types of the results, if the op does not infer them.
  SmallVector<RankedTensorType> results;
  /// The inherent attributes, as Operation::getPropertiesAsAttribute returns
  /// them.
  Attribute properties;

  /// Returns the number of elements of all operands and results.
  int64_t numElements() const;

  /// Adds a function of the op alone to `module`, and returns the op; null if
  /// the op is invalid. Emits no diagnostics. If the op infers the types of its
  /// results (InferTypeOpInterface), it gets these.
  Operation* addTo(ModuleOp module) const;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_OPTRIAL_H_
