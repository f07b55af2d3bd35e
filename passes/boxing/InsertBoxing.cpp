// --sbp-insert-boxing: from the placements that uses want to movements.

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/Passes.h"
#include "passes/boxing/Transitions.h"
#include "passes/boxing/Versions.h"

namespace sbp {

#define GEN_PASS_DEF_INSERTBOXING
#include "passes/boxing/Passes.h.inc"

namespace {

/// Boxes the tensors of one block.
class BlockBoxer {
 public:
  explicit BlockBoxer(TransitionTable& transitions)
      : transitions_(transitions) {}

  /// Ops of a block run in order, and so are their uses served.
  void run(mlir::Block& block) {
    for (Operation& op : llvm::make_early_inc_range(block)) {
      auto cast = llvm::dyn_cast<CastOp>(op);
      if (!cast) continue;
      cast.replaceAllUsesWith(versionFor(cast));
      cast.erase();
    }
  }

 private:
  /// A tensor as it was made, and boxed so far.
  struct Tensor {
    explicit Tensor(Value original)
        : versions(0),
          values{original},
          placements{NdSbpAttr::of(original.getType())} {}

    int64_t numberOf(NdSbpAttr placement) {
      auto known = llvm::find(placements, placement);
      if (known == placements.end()) {
        placements.push_back(placement);
        return placements.size() - 1;
      }
      return known - placements.begin();
    }

    Versions versions;
    SmallVector<Value, 2> values;          // per version
    SmallVector<NdSbpAttr, 4> placements;  // by number
  };

  /// The tensor that `value` is a version of.
  Value originalOf(Value value) {
    while (auto box = value.getDefiningOp<BoxOp>()) value = box.getInput();
    return value;
  }

  Value versionFor(CastOp cast) {
    Value original = originalOf(cast.getInput());
    Tensor& tensor = tensors_.try_emplace(original, original).first->second;
    auto type = llvm::cast<RankedTensorType>(cast.getResult().getType());

    Versions::Serving serving = tensor.versions.serve(
        tensor.numberOf(NdSbpAttr::of(type)),
        [&](int64_t from, int64_t to) {
          return transitions_.cost(tensor.placements[from].getComponents(),
                                   tensor.placements[to].getComponents(),
                                   type.getShape(),
                                   elementBytes(type.getElementType()));
        },
        [&](int64_t number) { return tensor.placements[number].hasPartial(); });
    if (serving.isNew) {
      OpBuilder builder(cast);
      tensor.values.push_back(BoxOp::create(builder, cast.getLoc(), type,
                                            tensor.values[serving.boxedFrom]));
    }
    return tensor.values[serving.version];
  }

  TransitionTable& transitions_;
  llvm::DenseMap<Value, Tensor> tensors_;
};

struct InsertBoxing : impl::InsertBoxingBase<InsertBoxing> {
  void runOnOperation() override {
    std::optional<TransitionTable> transitions;
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      for (mlir::Block& block : function.getBody()) {
        auto casts = block.getOps<CastOp>();
        if (casts.empty()) continue;
        if (!transitions) {
          CastOp first = *casts.begin();
          FailureOr<Mesh> mesh = lookupMesh(
              first, NdSbpAttr::of(first.getInput().getType()).getMesh());
          if (failed(mesh)) return signalPassFailure();
          transitions.emplace(*mesh);
        }
        BlockBoxer(*transitions).run(block);
      }
  }
};

}  // namespace
}  // namespace sbp
