#include "passes/differentiate/Recompute.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "passes/differentiate/EraseUnused.h"
#include "passes/differentiate/Products.h"
#include "passes/module/BodyType.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

class Recomputation {
 public:
  Recomputation(Layer& layer, Kept kept, int64_t numResults)
      : layer_(layer),
        keepsProducts_(kept == Kept::Products),
        numResults_(numResults),
        block_(layer.forward.getBody().front()) {}

  void run() {
    findKept();
    changeSources();
    makeFunction();
    changeForward();
  }

 private:
  using Kind = OperandSource::Kind;

  ArrayRef<OperandSource> sources() {
    return layer_.backward.front().operandSources;
  }

  /// Returns the value that the forward function returns as result `index`.
  Value returned(int64_t index) {
    return block_.getTerminator()->getOperand(index);
  }

  /// Finds the kept values from which the others that the backward function
  /// takes are computed again.
  void findKept() {
    SmallVector<Value> open;
    for (const OperandSource& source : sources())
      if (source.kind == Kind::Results) open.push_back(returned(source.index));
    llvm::DenseSet<Value> visited, kept;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation* op = value.getDefiningOp();
      if (!op || !visited.insert(value).second) continue;
      if (keepsProducts_ && isProduct(op))
        kept.insert(value);
      else
        llvm::append_range(open, op->getOperands());
    }
    auto results =
        block_.getTerminator()->getOperands().take_front(numResults_);
    int64_t next = numResults_;
    for (Operation& op : block_)
      for (Value value : op.getResults()) {
        if (!kept.contains(value)) continue;
        auto result = llvm::find(results, value);
        kept_[value] =
            result == results.end() ? next++ : result - results.begin();
      }
  }

  /// Makes the backward function take kept values from the forward function,
  /// and the others from the recomputation.
  void changeSources() {
    for (OperandSource& source : layer_.backward.front().operandSources) {
      if (source.kind != Kind::Results) continue;
      Value value = returned(source.index);
      if (auto kept = kept_.find(value); kept != kept_.end()) {
        source.index = kept->second;
        continue;
      }
      recomputed_.insert(value);
      source.kind = Kind::Recomputed;
    }
    for (OperandSource& source : layer_.backward.front().operandSources)
      if (source.kind == Kind::Recomputed)
        source.index = llvm::find(recomputed_, returned(source.index)) -
                       recomputed_.begin();
  }

  /// Makes the function that recomputes values, from a copy of the forward
  /// function.
  void makeFunction() {
    mlir::IRMapping copies;
    FuncOp function = layer_.forward.clone(copies);
    mlir::Block& block = function.getBody().front();
    block.getTerminator()->setOperands(llvm::map_to_vector(
        recomputed_, [&](Value value) { return copies.lookup(value); }));
    SmallVector<OperandSource>& given = layer_.recomputation.operandSources;
    for (unsigned index = 0; index < block.getNumArguments(); ++index)
      given.push_back({Kind::Arguments, index});
    for (auto [kept, result] : kept_) {
      copies.lookup(kept).replaceAllUsesWith(
          block.addArgument(kept.getType(), locationOf(kept)));
      given.push_back({Kind::Results, result});
    }
    eraseUnused(block);
    for (unsigned index = block.getNumArguments(); index-- > 0;) {
      if (!block.getArgument(index).use_empty()) continue;
      block.eraseArgument(index);
      given.erase(given.begin() + index);
    }
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
    setTypeToBody(function);
    for (auto [index, source] : llvm::enumerate(given))
      if (source.kind == Kind::Arguments)
        function.setArgAttrs(index,
                             layer_.forward.getArgAttrDict(source.index));
    layer_.recomputation.function = function;
  }

  /// Makes the forward function return its results and the kept values.
  void changeForward() {
    FuncOp function = layer_.forward;
    Operation* end = block_.getTerminator();
    llvm::BitVector further(end->getNumOperands());
    further.set(numResults_, end->getNumOperands());
    end->eraseOperands(further);
    (void)function.eraseResults(further);
    for (auto [kept, result] : kept_) {
      if (result < numResults_) continue;
      end->insertOperands(result, kept);
      (void)function.insertResult(result, kept.getType(), /*attrs=*/{});
    }
  }

  Layer& layer_;
  bool keepsProducts_;
  int64_t numResults_;
  mlir::Block& block_;  // of the forward function
  /// Kept values that the backward function or the recomputation takes, in the
  /// order of their ops, with their indices among the results of the changed
  /// forward function: those of the layer, then other kept values.
  llvm::MapVector<Value, int64_t> kept_;
  llvm::SetVector<Value> recomputed_;  // in the order of first uses
};

}  // namespace

void recompute(Layer& layer, Kept kept, int64_t numResults) {
  Recomputation(layer, kept, numResults).run();
}

}  // namespace sbp
