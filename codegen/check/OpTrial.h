// The description of an op that is to be tried: whether the op is valid is
// known only after it has been built and verified.

#ifndef CODEGEN_CHECK_OPTRIAL_H_
#define CODEGEN_CHECK_OPTRIAL_H_

#include <optional>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OperationSupport.h"

namespace sbp::check {

/// The reason for which an op is invalid.
struct Refusal {
  std::string message;
  /// The op, if its own verifier accepts it but the loops that it declares do
  /// not fit the op; null if the op is invalid for any other reason.
  Operation* misfit = nullptr;
};

/// The description of an op on tensors. Its types and attributes are drawn at
/// random, or taken from another op.
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

  /// Returns the types of the operands and the attributes, for a message.
  std::string str() const;

  /// Adds to `module` a function whose body is the op, and returns the op. If
  /// the op is invalid, returns null and sets `refusal`; the function then
  /// stays in `module` only if the op is a misfit (Refusal::misfit). Emits no
  /// diagnostics. An op that infers the types of its results
  /// (InferTypeOpInterface) gets the inferred types, not `results`.
  Operation* addTo(ModuleOp module, Refusal& refusal) const;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_OPTRIAL_H_
