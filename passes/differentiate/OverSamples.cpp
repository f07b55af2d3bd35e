#include "passes/differentiate/OverSamples.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "passes/SampleDims.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

bool isReduced(OverSamples kind) {
  return kind == OverSamples::Mean || kind == OverSamples::Sum;
}

class Follower {
 public:
  Follower(FuncOp function, const mlir::SymbolTable& symbols)
      : symbols_(symbols), dims_(function, symbols) {
    walk(function);
  }

  OverSamples of(Value value) const {
    if (dims_.of(value)) return OverSamples::Each;
    auto known = kinds_.find(value);
    return known == kinds_.end() ? OverSamples::None : known->second;
  }

 private:
  void walk(FuncOp function) {
    if (!walked_.insert(function).second) return;
    for (Operation& op : function.getBody().front()) {
      if (auto call = llvm::dyn_cast<CallOp>(op)) {
        walkCall(call);
        continue;
      }
      OverSamples kind = resultOf(&op);
      for (Value result : op.getResults()) kinds_[result] = kind;
    }
  }

  void walkCall(CallOp call) {
    auto callee = symbols_.lookup<FuncOp>(call.getCallee());
    bool isLikeFirst = true;
    for (auto [given, argument] :
         llvm::zip(call.getOperands(), callee.getArguments())) {
      kinds_.try_emplace(argument, of(given));
      isLikeFirst &= of(argument) == of(given);
    }
    walk(callee);
    Operation* end = callee.getBody().front().getTerminator();
    for (auto [returned, result] :
         llvm::zip(end->getOperands(), call.getResults()))
      kinds_[result] = isLikeFirst ? of(returned) : OverSamples::Other;
  }

  /// What a result is that has no dimension of samples.
  OverSamples resultOf(Operation* op) const {
    SmallVector<OverSamples> operands;
    for (Value operand : op->getOperands()) operands.push_back(of(operand));
    auto count = [&](OverSamples kind) { return llvm::count(operands, kind); };
    auto size = static_cast<int64_t>(operands.size());
    if (count(OverSamples::None) == size) return OverSamples::None;
    // Every operand is samples or has nothing to do with them.
    if (count(OverSamples::Each) > 0)
      return count(OverSamples::Each) + count(OverSamples::None) == size
                 ? reductionBy(op)
                 : OverSamples::Other;
    OverSamples first = *llvm::find_if(
        operands, [](OverSamples kind) { return kind != OverSamples::None; });
    bool isLinear = isReduced(first) &&
                    count(first) + count(OverSamples::None) == size &&
                    isLinearIn(op, operands, first);
    return isLinear ? first : OverSamples::Other;
  }

  /// How `op` combines samples that its result no longer tells apart.
  OverSamples reductionBy(Operation* op) const {
    if (llvm::isa<nn::CrossEntropyOp, nn::MseOp>(op)) return OverSamples::Mean;
    if (auto reduce = llvm::dyn_cast<nn::ReduceOp>(op)) {
      if (reduce.getKind() == nn::ReduceKind::Mean) return OverSamples::Mean;
      if (reduce.getKind() == nn::ReduceKind::Sum) return OverSamples::Sum;
    }
    if (llvm::isa<nn::EinsumOp>(op) && hasOneSampleLoop(op))
      return OverSamples::Sum;
    return OverSamples::Other;
  }

  /// Whether all operands that have samples run over them together.
  bool hasOneSampleLoop(Operation* op) const {
    LoopNest nest = llvm::cast<DistributedOpInterface>(op).getLoopNest();
    llvm::DenseSet<int64_t> loops;
    for (auto [operand, operandLoops] :
         llvm::zip(op->getOperands(), nest.operands))
      if (auto dim = dims_.of(operand)) loops.insert(operandLoops[*dim]);
    return loops.size() == 1;
  }

  /// Whether `op`, with operands of `kind` or none, gives the mean, or sum, of
  /// what it would give of each sample.
  static bool isLinearIn(Operation* op, ArrayRef<OverSamples> operands,
                         OverSamples kind) {
    int64_t number = llvm::count(operands, kind);
    // To add a constant to each of many adds it once to the mean.
    if (llvm::isa<nn::AddOp, nn::SubOp>(op))
      return number == 2 || kind == OverSamples::Mean;
    if (llvm::isa<nn::MulOp, nn::EinsumOp>(op)) return number == 1;
    if (llvm::isa<nn::DivOp>(op)) return number == 1 && operands[0] == kind;
    if (auto reduce = llvm::dyn_cast<nn::ReduceOp>(op))
      return reduce.getKind() == nn::ReduceKind::Mean ||
             reduce.getKind() == nn::ReduceKind::Sum;
    return llvm::isa<nn::NegOp, nn::CastOp, nn::ReshapeOp, nn::TransposeOp,
                     nn::SliceOp, PinOp>(op);
  }

  const mlir::SymbolTable& symbols_;
  SampleDims dims_;
  llvm::DenseMap<Value, OverSamples> kinds_;
  llvm::DenseSet<Operation*> walked_;  // functions
};

}  // namespace

OverSamples overSamples(FuncOp function, unsigned index,
                        const mlir::SymbolTable& symbols) {
  return Follower(function, symbols)
      .of(function.getBody().front().getTerminator()->getOperand(index));
}

}  // namespace sbp
