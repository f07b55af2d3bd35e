// An op that may be invalid, until its verifier has been asked.

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
  /// The op, if its own verifier accepts it, and only the loops that it
  /// declares do not fit; otherwise null.
  Operation* misfit = nullptr;
};

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

  /// Returns the types of the operands and the attributes, for a message.
  std::string str() const;

  /// Adds a function of the op alone to `module`, and returns the op. If the op
  /// is invalid, returns null, sets `refusal`, and leaves in `module` at most
  /// the misfit. Emits no diagnostics. If the op infers the types of its
  /// results (InferTypeOpInterface), it gets these.
  Operation* addTo(ModuleOp module, Refusal& refusal) const;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_OPTRIAL_H_
