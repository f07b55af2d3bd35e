// --sbp-insert-boxing: replaces casts by movements. A cast states the placement
// that a use wants.

#include <algorithm>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/FunctionBucketing.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/boxing/Passes.h"
#include "passes/boxing/Versions.h"
#include "passes/module/VerifyTensors.h"

namespace sbp {

#define GEN_PASS_DEF_INSERTBOXING
#include "passes/boxing/Passes.h.inc"

namespace {

/// Boxes the tensors of one block.
class BlockBoxer {
 public:
  BlockBoxer(const GroupTransitions& transitions,
             const FunctionBucketing& bucketing)
      : transitions_(transitions), bucketing_(bucketing) {}

  /// Serves the uses in the order of the block, which is the order in which its
  /// ops run.
  void run(mlir::Block& block) {
    simplify(block);
    for (Operation& op : llvm::make_early_inc_range(block))
      if (auto cast = llvm::dyn_cast<CastOp>(op)) {
        if (cast.getPinned())
          servePin(cast);
        else
          replace(cast, versionFor(cast));
      }
    for (CastOp pin : pins_) replace(pin, pin.getInput());
  }

 private:
  /// A tensor as it was made, with all versions that it has been boxed to so
  /// far.
  struct Tensor {
    Tensor(Value made, Bucketing bucketing)
        : versions(0),
          bucketing(bucketing),
          values{made},
          placements{NdSbpAttr::of(made.getType())} {}

    int64_t numberOf(NdSbpAttr placement) {
      auto known = llvm::find(placements, placement);
      if (known == placements.end()) {
        placements.push_back(placement);
        return placements.size() - 1;
      }
      return known - placements.begin();
    }

    Versions versions;
    Bucketing bucketing;
    SmallVector<Value, 2> values;          // by version
    SmallVector<NdSbpAttr, 4> placements;  // by placement number
    SmallVector<CastOp, 1> pins;
  };

  /// Merges and erases casts. Afterwards every cast has a use, and the operand
  /// of every cast is a tensor as it was made, or the result of a pin.
  static void simplify(mlir::Block& block) {
    for (auto cast : block.getOps<CastOp>())
      if (auto before = cast.getInput().getDefiningOp<CastOp>())
        if (!before.getPinned()) cast.getInputMutable().set(before.getInput());
    for (Operation& op :
         llvm::make_early_inc_range(llvm::reverse(block.getOperations())))
      if (llvm::isa<CastOp>(op) && op.use_empty()) op.erase();
  }

  /// Returns the tensor whose original version is `value`. If `value` is the
  /// result of a pin, the tensor is a new one, made by the movement to the
  /// pinned placement.
  Tensor& tensorOf(Value value) {
    auto pin = value.getDefiningOp<CastOp>();
    return tensors_
        .try_emplace(value, pin ? pin.getInput() : value, bucketing_.of(value))
        .first->second;
  }

  /// Boxes the operand of `cast`, which is a pin. The pin itself stays until
  /// all uses are served, since its result identifies the tensor that starts
  /// there. Several pins of one tensor to the same placement are merged.
  void servePin(CastOp cast) {
    Tensor& tensor = tensorOf(cast.getInput());
    for (CastOp pin : tensor.pins)
      if (pin.getType() == cast.getType()) return replace(cast, pin);
    tensor.pins.push_back(cast);
    pins_.push_back(cast);
    cast.getInputMutable().set(versionFor(cast));
  }

  static void replace(CastOp cast, Value value) {
    cast.replaceAllUsesWith(value);
    cast.erase();
  }

  Value versionFor(CastOp cast) {
    Tensor& tensor = tensorOf(cast.getInput());
    auto type = llvm::cast<RankedTensorType>(cast.getResult().getType());

    Versions::Serving serving = tensor.versions.serve(
        tensor.numberOf(NdSbpAttr::of(type)),
        [&](int64_t from, int64_t to) {
          return transitions_.seconds(
              tensor.placements[from], tensor.placements[to], type.getShape(),
              elementBytes(type.getElementType()), tensor.bucketing);
        },
        [&](int64_t number) { return tensor.placements[number].hasPartial(); });
    if (serving.isNew)
      tensor.values.push_back(
          bring(cast, tensor.values[serving.boxedFrom], tensor.bucketing));
    return tensor.values[serving.version];
  }

  /// Boxes `value` to the placement of `cast`, which may be on another group.
  /// `bucketing` says whether the value moves alone or in a bucket within its
  /// group.
  Value bring(CastOp cast, Value value, Bucketing bucketing) {
    auto type = llvm::cast<RankedTensorType>(cast.getType());
    NdSbpAttr from = NdSbpAttr::of(value.getType());
    NdSbpAttr to = NdSbpAttr::of(type);
    if (from.getMesh() == to.getMesh()) return box(cast, value, to, bucketing);
    Crossing crossing = transitions_.crossing(
        from, to, type.getShape(), elementBytes(type.getElementType()));
    auto on = [&](NdSbpAttr group, ArrayRef<Component> placement) {
      return NdSbpAttr::get(cast.getContext(), group.getMesh(), placement);
    };
    value = box(cast, value, on(from, crossing.departure), Bucketing::alone());
    value = box(cast, value, on(to, crossing.arrival), Bucketing::alone());
    return box(cast, value, to, Bucketing::alone());
  }

  /// Boxes `value` to `placement`. Reuses an earlier box of `value` to the same
  /// placement, even if that box was made for a different pin.
  Value box(CastOp cast, Value value, NdSbpAttr placement,
            Bucketing bucketing) {
    auto type =
        withPlacement(llvm::cast<RankedTensorType>(value.getType()), placement);
    if (value.getType() == type) return value;
    Value& known = boxes_[{value, type}];
    OpBuilder builder(cast);
    if (!known)
      known = BoxOp::create(builder, cast.getLoc(), type, value,
                            /*bucketed=*/!bucketing.isAlone());
    return known;
  }

  const GroupTransitions& transitions_;
  const FunctionBucketing& bucketing_;
  llvm::DenseMap<Value, Tensor> tensors_;
  llvm::DenseMap<std::pair<Value, Type>, Value> boxes_;
  SmallVector<CastOp> pins_;
};

/// Moves the boxes that feed the pipes of a schedule (each an nn.repeat with
/// `only`) before the first pipe, so that the pipes are adjacent: they run
/// interleaved, in the order of the schedule.
void joinPipes(mlir::Block& block) {
  nn::RepeatOp first;
  uint64_t numLeft = 0;  // calls of the pipes that have not been seen yet
  SmallVector<BoxOp> boxes;
  for (Operation& op : block) {
    if (auto box = llvm::dyn_cast<BoxOp>(op); box && first)
      boxes.push_back(box);
    auto repeat = llvm::dyn_cast<nn::RepeatOp>(op);
    if (!repeat || !repeat.getOnly()) continue;
    if (!first) {
      first = repeat;
      numLeft = repeat.getTimes();
    }
    for (BoxOp box : boxes) {
      Operation* maker = box.getInput().getDefiningOp();
      if (!maker || maker->isBeforeInBlock(first)) box->moveBefore(first);
    }
    boxes.clear();
    numLeft -= std::min<uint64_t>(numLeft, repeat.getOnly()->size());
    if (numLeft == 0) first = {};
  }
}

struct InsertBoxing : impl::InsertBoxingBase<InsertBoxing> {
  void runOnOperation() override {
    if (failed(verifyTensors(getOperation()))) return signalPassFailure();
    FailureOr<PlacedMeshes> meshes = placedMeshesOf(getOperation());
    if (failed(meshes)) return signalPassFailure();
    GroupTransitions transitions(*meshes);
    for (auto function : getOperation().getOps<mlir::func::FuncOp>()) {
      mlir::Block& block = function.getBody().front();
      if (block.getOps<CastOp>().empty()) continue;
      BlockBoxer(transitions, FunctionBucketing(function)).run(block);
      joinPipes(block);
    }
  }
};

}  // namespace
}  // namespace sbp
