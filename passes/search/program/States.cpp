#include "passes/search/program/States.h"

#include "dialects/sbp/Sbp.h"
#include "passes/boxing/Cost.h"
#include "passes/cost/OpCost.h"
#include "passes/search/program/Follow.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

class StateMaker {
 public:
  StateMaker(const Draft& draft, const Correspondence& correspondence,
             const Mesh& mesh, const Device& device, KernelRoom& kernelRoom,
             CommunicatingOps& communicatingOps, CertainLives& lives,
             PlacementTable& placements)
      : draft_(draft),
        correspondence_(correspondence),
        mesh_(mesh),
        device_(device),
        kernelRoom_(kernelRoom),
        communicatingOps_(communicatingOps),
        lives_(lives),
        placements_(placements) {
    for (const Member& member : draft.members)
      nests_.push_back(loopNestOf(member.op));
  }

  /// The state in which the first member runs by `first`.
  std::optional<Decision::State> stateOf(const MeshSignature& first) {
    begin();
    if (!addMembers(&first)) return std::nullopt;
    return std::move(state_);
  }

  /// The state in which the tensor of slot 0 lies as `placement`.
  std::optional<Decision::State> stateOf(const Placement& placement) {
    begin();
    state_.placements[0] = placements_.numberOf(placement);
    if (!addMembers(nullptr)) return std::nullopt;
    return std::move(state_);
  }

 private:
  void begin() {
    state_ = {};
    state_.placements.resize(draft_.numSlots);
  }

  bool addMembers(const MeshSignature* first) {
    for (auto [index, member] : llvm::enumerate(draft_.members)) {
      if (!member.isFollower) {
        add(index, *first);
        continue;
      }
      Wishes wishes = wishesOf(member);
      if (first) wishes.communicating = first->communicating;
      auto signature = follow(nests_[index], mesh_, wishes);
      if (!signature) return false;
      add(index, *signature);
    }
    return true;
  }

  std::optional<Placement> wishOf(Source source) const {
    if (source.slot < 0) return std::nullopt;
    ArrayRef<Component> lies = placements_[state_.placements[source.slot]];
    return source.isGradient ? gradientOf(lies) : Placement(lies);
  }

  Wishes wishesOf(const Member& member) const {
    Wishes wishes;
    for (Source source : member.operands)
      wishes.operands.push_back(wishOf(source));
    for (Source source : member.results)
      wishes.results.push_back(wishOf(source));
    return wishes;
  }

  void add(size_t index, const MeshSignature& signature) {
    const Member& member = draft_.members[index];
    int64_t slot = member.firstSlot;
    for (const Placement& placement : signature.operands)
      state_.placements[slot++] = placements_.numberOf(placement);
    for (const Placement& placement : signature.results)
      state_.placements[slot++] = placements_.numberOf(placement);
    Operation* op = member.op;
    auto times = static_cast<double>(
        correspondence_.functions().lookup(op->getParentOfType<FuncOp>()));
    if (!signature.communicates()) {
      state_.seconds += times * secondsOf(op, nests_[index], signature);
      KernelRoom::Bytes bytes = kernelRoom_.of(op, signature);
      double certain = bytes.working;
      for (auto [result, own] : llvm::zip(op->getResults(), bytes.results))
        if (lives_.hasOwnMemory(result)) certain += own;
      set(state_.workingBytes, index, bytes.working);
      if (lives_.isInFront(op)) set(state_.certainBytes, index, certain);
      return;
    }
    const CommunicatingOpCost& cost =
        communicatingOps_.costOf(op, signature.operands, signature.results);
    state_.seconds += times * cost.computing;
    state_.communicatingSeconds += times * cost.communicating();
    set(state_.workingBytes, index,
        static_cast<double>(
            alignedBytes(static_cast<int64_t>(cost.workingBytes))));
  }

  void set(std::vector<double>& ofMembers, size_t index, double bytes) const {
    if (bytes == 0) return;
    ofMembers.resize(draft_.members.size(), 0);
    ofMembers[index] = bytes;
  }

  /// What `op` computes if it runs by `signature`, once.
  double secondsOf(Operation* op, const LoopNest& nest,
                   const MeshSignature& signature) const {
    double bytes = 0;
    auto addBytes = [&](ValueRange values, ArrayRef<Placement> placements) {
      for (auto [value, placement] : llvm::zip(values, placements)) {
        auto type = llvm::cast<RankedTensorType>(value.getType());
        bytes += static_cast<double>(largestLocalBytes(
            type.getShape(), elementBytes(type.getElementType()), placement,
            mesh_));
      }
    };
    addBytes(op->getOperands(), signature.operands);
    addBytes(op->getResults(), signature.results);
    return opSeconds(device_, op,
                     nest.flopsPerPoint * signature.pointsPerDevice, bytes);
  }

  const Draft& draft_;
  const Correspondence& correspondence_;
  const Mesh& mesh_;
  const Device& device_;
  KernelRoom& kernelRoom_;
  CommunicatingOps& communicatingOps_;
  CertainLives& lives_;
  PlacementTable& placements_;
  std::vector<LoopNest> nests_;  // of the members
  Decision::State state_;
};

}  // namespace

Decision statesOf(const Draft& draft, const Correspondence& correspondence,
                  const PlacementSpace& space, const Device& device,
                  const Plan& plan, KernelRoom& kernelRoom,
                  CommunicatingOps& communicatingOps, CertainLives& lives,
                  PlacementTable& placements) {
  Decision decision;
  decision.name = draft.name;
  StateMaker maker(draft, correspondence, space.mesh(), device, kernelRoom,
                   communicatingOps, lives, placements);
  auto add = [&](std::optional<Decision::State> state) {
    if (state) decision.states.push_back(std::move(*state));
  };
  if (!draft.placements.empty()) {
    for (const Placement& placement : draft.placements)
      add(maker.stateOf(placement));
    return decision;
  }
  DistributedOpInterface op = draft.members.front().op;
  auto planned = plan.ops.find(op);
  auto mayBe = [&](const MeshSignature& signature) {
    if (planned == plan.ops.end()) return space.contains(signature);
    return signature.operands == planned->second.operands &&
           signature.results == planned->second.results;
  };
  forEachSignature(loopNestOf(op), space.mesh(),
                   [&](const MeshSignature& signature) {
                     if (mayBe(signature)) add(maker.stateOf(signature));
                   });
  return decision;
}

}  // namespace sbp::search
