// --sbp-insert-boxing: from the placements that uses want to movements.

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/Passes.h"
#include "passes/boxing/Transitions.h"

namespace sbp {

#define GEN_PASS_DEF_INSERTBOXING
#include "passes/boxing/Passes.h.inc"

namespace {

/// Boxes the tensors of one block.
class BlockBoxer {
 public:
  explicit BlockBoxer(TransitionTable& transitions)
      : transitions_(transitions) {}

  /// Ops of a block run in order, so what an earlier use was given is there for
  /// every later one.
  void run(mlir::Block& block) {
    for (Operation& op : llvm::make_early_inc_range(block)) {
      auto cast = llvm::dyn_cast<CastOp>(op);
      if (!cast) continue;
      cast.replaceAllUsesWith(versionFor(cast));
      cast.erase();
    }
  }

 private:
  /// The versions of one tensor that exist so far: as it was made, and boxed.
  using Versions = SmallVector<Value, 2>;

  /// The tensor that `value` is a version of.
  Value originalOf(Value value) {
    while (auto box = value.getDefiningOp<BoxOp>()) value = box.getInput();
    return value;
  }

  Value versionFor(CastOp cast) {
    Value original = originalOf(cast.getInput());
    Versions& versions = versionsOf_[original];
    if (versions.empty()) versions.push_back(original);
    auto type = llvm::cast<RankedTensorType>(cast.getResult().getType());

    Value cheapest;
    double leastSeconds = 0;
    for (Value version : versions) {
      if (version.getType() == type) return version;
      if (!mayBecome(version, type, versions)) continue;
      double seconds = transitions_.cost(
          NdSbpAttr::of(version.getType()).getComponents(),
          NdSbpAttr::of(type).getComponents(), type.getShape(),
          elementBytes(type.getElementType()));
      if (cheapest && seconds >= leastSeconds) continue;
      cheapest = version;
      leastSeconds = seconds;
    }
    OpBuilder builder(cast);
    Value boxed = BoxOp::create(builder, cast.getLoc(), type, cheapest);
    versions.push_back(boxed);
    return boxed;
  }

  /// Terms are reduced once: a version without terms comes from another such
  /// version where there is one. Adding up the terms again, in another order,
  /// would round to another value, and the uses of a tensor would differ about
  /// it: a gradient that looks for the maximum among the elements would miss
  /// it.
  static bool mayBecome(Value version, RankedTensorType type,
                        const Versions& versions) {
    auto isPartial = [](Type t) { return NdSbpAttr::of(t).hasPartial(); };
    return isPartial(type) || !isPartial(version.getType()) ||
           llvm::all_of(versions,
                        [&](Value v) { return isPartial(v.getType()); });
  }

  TransitionTable& transitions_;
  llvm::DenseMap<Value, Versions> versionsOf_;
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
