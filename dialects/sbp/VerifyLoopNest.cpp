// Verifies that the loops that an op declares fit its tensors.

#include <cmath>

#include "dialects/sbp/DistributedOp.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using text::counted;
using Kind = Loop::Kind;

class LoopNestVerifier {
 public:
  LoopNestVerifier(Operation* op, const LoopNest& nest)
      : op_(op), nest_(nest) {}

  LogicalResult run() {
    if (failed(verifyCount("operand", nest_.operands.size(),
                           op_->getNumOperands())) ||
        failed(verifyCount("result", nest_.results.size(),
                           op_->getNumResults())) ||
        failed(verifyNumbers()))
      return failure();
    if (op_->getNumOperands() + op_->getNumResults() == 0)
      return op_->emitOpError() << "declares loops, but has neither operands "
                                   "nor results that could be placed";
    for (auto [number, operand] : llvm::enumerate(op_->getOperands()))
      if (failed(verifyTensor("operand", number, operand.getType(),
                              nest_.operands[number])))
        return failure();
    for (auto [number, result] : llvm::enumerate(op_->getResults()))
      if (failed(verifyTensor("result", number, result.getType(),
                              nest_.results[number])) ||
          failed(verifyParallelLoops(number)))
        return failure();
    for (const PartialPass& pass : nest_.partialPasses)
      if (failed(verifyPass(pass))) return failure();
    for (const Signature& signature : nest_.communicating)
      if (failed(verifyCommunicating(signature))) return failure();
    return verifySplitsDiffer();
  }

 private:
  bool isLoop(int64_t loop) const {
    return loop >= 0 && loop < static_cast<int64_t>(nest_.loops.size());
  }

  LogicalResult verifyCount(StringRef what, size_t declared, size_t actual) {
    if (declared == actual) return success();
    return op_->emitOpError()
           << "has " << counted(actual, what) << ", but declares the loops of "
           << declared
           << "; each has its TensorLoops, which are empty for a scalar";
  }

  /// Verifies the numbers that belong to no tensor.
  LogicalResult verifyNumbers() {
    for (auto [number, loop] : llvm::enumerate(nest_.loops))
      if (loop.extent < 0)
        return op_->emitOpError()
               << "declares an extent of " << loop.extent << " of loop "
               << number << "; it must be at least 0";
    if (std::isfinite(nest_.flopsPerPoint) && nest_.flopsPerPoint >= 0)
      return success();
    return op_->emitOpError()
           << "declares " << nest_.flopsPerPoint
           << " FLOPs per iteration; the number must be finite and at least 0";
  }

  /// Verifies `loops`, the loops of operand or result `number`, which has type
  /// `type`.
  LogicalResult verifyTensor(StringRef what, size_t number, Type type,
                             ArrayRef<int64_t> loops) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return op_->emitOpError()
             << "has " << what << " " << number << " of type " << type
             << "; an op with loops has ranked tensors only";
    if (static_cast<int64_t>(loops.size()) != tensor.getRank())
      return op_->emitOpError()
             << "declares " << counted(loops.size(), "loop") << " for " << what
             << " " << number << ", " << type << ", which has "
             << counted(tensor.getRank(), "dimension")
             << "; each has a loop, or kNoLoop";
    for (auto [dim, loop] : llvm::enumerate(loops))
      if (loop != kNoLoop &&
          failed(verifyDim(what, number, tensor, dim, loops)))
        return failure();
    return success();
  }

  /// Verifies the loop that runs over dimension `dim` of a tensor.
  LogicalResult verifyDim(StringRef what, size_t number, RankedTensorType type,
                          size_t dim, ArrayRef<int64_t> loops) {
    const int64_t index = loops[dim];
    auto error = [&] {
      return op_->emitOpError()
             << "declares loop " << index << " for dimension " << dim << " of "
             << what << " " << number << ", " << type;
    };
    if (!isLoop(index))
      return error() << ", but has " << counted(nest_.loops.size(), "loop")
                     << ", numbered from 0; a dimension without a loop has "
                        "kNoLoop, -1";
    const Loop& loop = nest_.loops[index];
    if (loop.kind == Kind::Whole) return success();
    const int64_t* first = llvm::find(loops, index);
    const size_t firstDim = first - loops.begin();
    if (firstDim != dim)
      return error() << ", and for its dimension " << firstDim
                     << " too; a loop that may be split runs over at most one "
                        "dimension of a tensor, others are Whole";
    const int64_t extent = type.getDimSize(dim);
    if (extent == loop.extent) return success();
    const bool isMultiple =
        loop.extent > 0 && extent > 0 && extent % loop.extent == 0;
    if (!isMultiple)
      return error() << ", of extent " << extent
                     << ", but the loop's extent is " << loop.extent
                     << "; they must be equal, or that of the dimension a "
                        "multiple and the loop evenOnly";
    if (loop.evenOnly) return success();
    return error() << ", of extent " << extent << ", but the loop's extent is "
                   << loop.extent << ": an iteration has "
                   << extent / loop.extent
                   << " elements, so the loop must be evenOnly";
  }

  /// Verifies that all Parallel loops run over a dimension of result `number`.
  LogicalResult verifyParallelLoops(size_t number) {
    for (auto [index, loop] : llvm::enumerate(nest_.loops))
      if (loop.kind == Kind::Parallel &&
          !llvm::is_contained(nest_.results[number],
                              static_cast<int64_t>(index)))
        return op_->emitOpError()
               << "declares that loop " << index
               << " is Parallel, but no dimension of result " << number
               << " for it; a loop whose iterations a result combines is a "
                  "Reduction, and one that is never split is Whole";
    return success();
  }

  LogicalResult verifyPass(const PartialPass& pass) {
    if (pass.operands.empty())
      return op_->emitOpError()
             << "declares a partial pass (" << stringOf(pass.reduction)
             << ") through no operand; it goes through one or more";
    for (auto [index, operand] : llvm::enumerate(pass.operands)) {
      if (operand < 0 || operand >= static_cast<int64_t>(op_->getNumOperands()))
        return op_->emitOpError()
               << "declares a partial pass (" << stringOf(pass.reduction)
               << ") through operand " << operand << ", but has "
               << counted(op_->getNumOperands(), "operand")
               << ", numbered from 0";
      if (llvm::is_contained(ArrayRef(pass.operands).take_front(index),
                             operand))
        return op_->emitOpError()
               << "declares a partial pass (" << stringOf(pass.reduction)
               << ") through operand " << operand
               << " twice; each operand is listed once";
    }
    return success();
  }

  LogicalResult verifyCommunicating(const Signature& signature) {
    auto error = [&] {
      return op_->emitOpError()
             << "declares the communicating signature " << signature.str();
    };
    if (signature.operands.size() != op_->getNumOperands() ||
        signature.results.size() != op_->getNumResults())
      return error() << ", but has "
                     << counted(op_->getNumOperands(), "operand") << " and "
                     << counted(op_->getNumResults(), "result");
    if (!isLoop(signature.loop) ||
        nest_.loops[signature.loop].kind == Kind::Whole)
      return error() << ", which splits loop " << signature.loop
                     << "; it must be one of its loops that may be split";
    auto verify = [&](StringRef what, TypeRange types,
                      ArrayRef<Component> components) -> LogicalResult {
      for (auto [number, type] : llvm::enumerate(types)) {
        const Component& component = components[number];
        const int64_t rank = llvm::cast<RankedTensorType>(type).getRank();
        if (!component.isSplit() ||
            (component.dim() >= 0 && component.dim() < rank))
          continue;
        return error() << ", which splits dimension " << component.dim()
                       << " of " << what << " " << number << ", " << type;
      }
      return success();
    };
    if (failed(verify("operand", op_->getOperandTypes(), signature.operands)))
      return failure();
    return verify("result", op_->getResultTypes(), signature.results);
  }

  LogicalResult verifySplitsDiffer() {
    auto signatures = signaturesOf(nest_);
    for (auto [index, one] : llvm::enumerate(signatures))
      for (const Signature& other : ArrayRef(signatures).take_front(index))
        if (one.loop != other.loop && isSame(one, other)) {
          mlir::InFlightDiagnostic error = op_->emitOpError();
          error << "has the signature " << one.str() << " by loop " << one.loop;
          if (other.loop == kNoLoop)
            error << " and without a split";
          else
            error << " and by loop " << other.loop;
          return error << "; signatures that split different loops must "
                          "differ, so one of them must be Whole";
        }
    return success();
  }

  Operation* op_;
  const LoopNest& nest_;
};

}  // namespace

LogicalResult verifyLoopNest(Operation* op, const LoopNest& nest) {
  return LoopNestVerifier(op, nest).run();
}

}  // namespace sbp
