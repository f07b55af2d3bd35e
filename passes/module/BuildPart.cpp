#include "passes/module/BuildPart.h"

#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using text::counted;

mlir::InFlightDiagnostic errorIn(StringRef method, Operation* op) {
  return op->emitOpError() << "has a " << method << " that returns ";
}

/// Fails unless `built`, the results that `op` has built by `method`, have the
/// types `expected`. `what` names one of them.
LogicalResult verifyResults(Operation* op, StringRef method, StringRef what,
                            ValueRange built, TypeRange expected) {
  if (built.size() != expected.size())
    return errorIn(method, op) << counted(built.size(), what) << ", but has "
                               << counted(expected.size(), "result");
  for (auto [number, value] : llvm::enumerate(built)) {
    if (!value)
      return errorIn(method, op) << "nothing for result " << number
                                 << ", whose part is " << expected[number];
    if (value.getType() != expected[number])
      return errorIn(method, op) << value.getType() << " for result " << number
                                 << ", whose part is " << expected[number];
  }
  return success();
}

}  // namespace

FailureOr<Operation*> buildLocalPart(DistributedOpInterface op,
                                     OpBuilder& builder, ValueRange operands,
                                     TypeRange results, Shard& shard) {
  constexpr StringRef method = "buildLocal";
  const mlir::Block* block = builder.getInsertionBlock();
  Operation* part = op.buildLocal(builder, operands, results, shard);
  if (!part)
    return errorIn(method, op) << "no op; it must return the op of this part";
  if (part->getBlock() != block)
    return errorIn(method, op) << "an op that it has not inserted by the "
                                  "builder that it is given";
  if (failed(verifyResults(op, method, "result", part->getResults(), results)))
    return failure();
  return part;
}

FailureOr<SmallVector<Value>> buildCommunicatingPart(
    CommunicatingOpInterface op, const LoopNest& nest, const Mesh& mesh,
    ArrayRef<Signature> perAxis, OpBuilder& builder, ValueRange operands,
    TypeRange results, Shard& shard) {
  SmallVector<Value> values = op.buildCommunicating(
      nest, mesh, pointersTo(perAxis), builder, operands, results, shard);
  if (failed(verifyResults(op, "buildCommunicating", "value", values, results)))
    return failure();
  return values;
}

}  // namespace sbp
