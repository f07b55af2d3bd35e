#include "passes/module/BuildPart.h"

#include <iterator>

#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using text::counted;

mlir::InFlightDiagnostic errorIn(StringRef method, Operation* op) {
  return op->emitOpError() << "has a " << method << " that returns ";
}

/// Fails unless the types of `built`, the results that `op` has built by
/// `method`, are `expected`. `what` is the word for one of these results in the
/// error message.
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

/// The ops that a builder has inserted since this object was constructed.
class Inserted {
 public:
  explicit Inserted(const OpBuilder& builder)
      : block_(*builder.getInsertionBlock()),
        end_(builder.getInsertionPoint()) {
    if (end_ != block_.begin()) before_ = &*std::prev(end_);
  }

  llvm::iterator_range<mlir::Block::iterator> ops() const {
    return {before_ ? std::next(before_->getIterator()) : block_.begin(), end_};
  }

 private:
  mlir::Block& block_;
  mlir::Block::iterator end_;
  Operation* before_ = nullptr;
};

/// Fails if an op that `op` has built by `method` has an operand that is null,
/// or a value of the whole program instead of a value of the part.
LogicalResult verifyOperands(Operation* op, StringRef method,
                             const Inserted& built) {
  for (Operation& part : built.ops())
    for (mlir::OpOperand& operand : part.getOpOperands()) {
      if (operand.get() &&
          operand.get().getParentRegion()->isAncestor(part.getParentRegion()))
        continue;
      mlir::InFlightDiagnostic error = op->emitOpError();
      error << "has a " << method << " that builds '" << part.getName()
            << "', whose operand " << operand.getOperandNumber() << " is ";
      if (!operand.get()) return error << "null";
      return error << "a " << operand.get().getType()
                   << " of the whole program; it must use the operands that it "
                      "is given";
    }
  return success();
}

}  // namespace

FailureOr<Operation*> buildLocalPart(DistributedOpInterface op,
                                     OpBuilder& builder, ValueRange operands,
                                     TypeRange results, Shard& shard) {
  constexpr StringRef method = "buildLocal";
  const mlir::Block* block = builder.getInsertionBlock();
  const Inserted built(builder);
  Operation* part = op.buildLocal(builder, operands, results, shard);
  if (!part)
    return errorIn(method, op) << "no op; it must return the op of this part";
  if (part->getBlock() != block)
    return errorIn(method, op) << "an op that it has not inserted by the "
                                  "builder that it is given";
  if (failed(verifyOperands(op, method, built)) ||
      failed(verifyResults(op, method, "result", part->getResults(), results)))
    return failure();
  return part;
}

FailureOr<SmallVector<Value>> buildCommunicatingPart(
    CommunicatingOpInterface op, const LoopNest& nest, const Mesh& mesh,
    ArrayRef<Signature> perAxis, OpBuilder& builder, ValueRange operands,
    TypeRange results, Shard& shard) {
  constexpr StringRef method = "buildCommunicating";
  const Inserted built(builder);
  SmallVector<Value> values = op.buildCommunicating(
      nest, mesh, pointersTo(perAxis), builder, operands, results, shard);
  if (failed(verifyOperands(op, method, built)) ||
      failed(verifyResults(op, method, "value", values, results)))
    return failure();
  return values;
}

}  // namespace sbp
