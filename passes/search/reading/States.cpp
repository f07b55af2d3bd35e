#include "passes/search/reading/States.h"

#include <algorithm>
#include <utility>

#include "dialects/sbp/Sbp.h"
#include "passes/boxing/Cost.h"
#include "passes/cost/OpCost.h"
#include "passes/plan/PinnedSignature.h"
#include "passes/search/reading/Follow.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

/// Number of states after which the run is asked whether to go on: a few
/// milliseconds.
constexpr size_t kStatesAtATime = 256;

class StateMaker {
 public:
  StateMaker(const OpenDecision& open, const Correspondence& correspondence,
             const Mesh& mesh, const Device& device, KernelRoom& kernelRoom,
             CommunicatingOps& communicatingOps, CertainLives& lives,
             PlacementTable& placements)
      : open_(open),
        correspondence_(correspondence),
        mesh_(mesh),
        device_(device),
        kernelRoom_(kernelRoom),
        communicatingOps_(communicatingOps),
        lives_(lives),
        placements_(placements) {
    for (const Member& member : open.members) {
      nests_.push_back(loopNestOf(member.op));
      isTied_.push_back(isTied(member));
    }
  }

  /// Returns the state in which the first member has the signature `first`.
  std::optional<Decision::State> stateOf(const MeshSignature& first) {
    begin();
    if (!addMembers(&first)) return std::nullopt;
    return std::move(state_);
  }

  /// Returns the state in which the tensor of slot 0 has `placement`.
  std::optional<Decision::State> stateOf(const Placement& placement) {
    begin();
    state_.placements[0] = placements_.numberOf(placement);
    if (!addMembers(nullptr)) return std::nullopt;
    return std::move(state_);
  }

 private:
  /// Whether `member` is like the first member, and runs as often.
  bool isTied(const Member& member) const {
    Operation* op = member.op;
    Operation* first = open_.members.front().op;
    return op != first && !member.isFollower &&
           !open_.members.front().isFollower &&
           op->getParentOp() == first->getParentOp() &&
           op->getOperandTypes() == first->getOperandTypes() &&
           op->getResultTypes() == first->getResultTypes();
  }

  void begin() {
    state_ = {};
    state_.placements.resize(open_.numSlots);
    ofFirst_ = {};
  }

  bool addMembers(const MeshSignature* first) {
    for (auto [index, member] : llvm::enumerate(open_.members)) {
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

  /// Costs of one member in a state.
  struct Taken {
    double seconds = 0, communicatingSeconds = 0;
    KernelRoom::Bytes bytes;
    bool isOneKernel = false;
  };

  void add(size_t index, const MeshSignature& signature) {
    if (isTied_[index]) return addTied(index);
    const Member& member = open_.members[index];
    int64_t slot = member.firstSlot;
    for (const Placement& placement : signature.operands)
      state_.placements[slot++] = placements_.numberOf(placement);
    for (const Placement& placement : signature.results)
      state_.placements[slot++] = placements_.numberOf(placement);
    Operation* op = member.op;
    auto times = static_cast<double>(
        correspondence_.functions().lookup(op->getParentOfType<FuncOp>()));
    Taken taken;
    if (signature.communicates()) {
      const CommunicatingOpCost& cost =
          communicatingOps_.costOf(op, signature.operands, signature.results);
      taken = {times * cost.computing, times * cost.communicating(), {}, false};
      taken.bytes.working = static_cast<double>(
          alignedBytes(static_cast<int64_t>(cost.workingBytes)));
    } else {
      taken = {times * secondsOf(op, nests_[index], signature), 0,
               kernelRoom_.of(op, signature), true};
    }
    if (index == 0) ofFirst_ = taken;
    take(index, taken);
  }

  /// Adds a tied op with the costs of the first member. There may be hundreds
  /// of tied ops: sums over the parts of a batch.
  void addTied(size_t index) {
    const Member& first = open_.members.front();
    auto from = state_.placements.begin() + first.firstSlot;
    std::copy(from,
              from + first.op->getNumOperands() + first.op->getNumResults(),
              state_.placements.begin() + open_.members[index].firstSlot);
    take(index, ofFirst_);
  }

  void take(size_t index, const Taken& taken) {
    state_.seconds += taken.seconds;
    state_.communicatingSeconds += taken.communicatingSeconds;
    set(state_.workingBytes, index, taken.bytes.working);
    Operation* op = open_.members[index].op;
    if (!taken.isOneKernel || !lives_.isInFront(op)) return;
    double certain = taken.bytes.working;
    for (auto [result, own] : llvm::zip(op->getResults(), taken.bytes.results))
      if (lives_.hasOwnMemory(result)) certain += own;
    set(state_.certainBytes, index, certain);
  }

  void set(std::vector<double>& ofMembers, size_t index, double bytes) const {
    if (bytes == 0) return;
    ofMembers.resize(open_.members.size(), 0);
    ofMembers[index] = bytes;
  }

  /// Returns the seconds that `op` computes with `signature`, once.
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

  const OpenDecision& open_;
  const Correspondence& correspondence_;
  const Mesh& mesh_;
  const Device& device_;
  KernelRoom& kernelRoom_;
  CommunicatingOps& communicatingOps_;
  CertainLives& lives_;
  PlacementTable& placements_;
  std::vector<LoopNest> nests_;  // of the members
  std::vector<bool> isTied_;     // of the members
  Taken ofFirst_;
  Decision::State state_;
};

}  // namespace

std::optional<Decision> statesOf(
    const OpenDecision& open, const Correspondence& correspondence,
    const PlacementSpace& space, const Device& device, const Plan& plan,
    KernelRoom& kernelRoom, CommunicatingOps& communicatingOps,
    CertainLives& lives, PlacementTable& placements, const SearchRun& run) {
  Decision decision;
  decision.name = open.name;
  StateMaker maker(open, correspondence, space.mesh(), device, kernelRoom,
                   communicatingOps, lives, placements);
  // Returns false if the run is over.
  auto add = [&](std::optional<Decision::State> state) {
    if (state) decision.states.push_back(std::move(*state));
    return decision.states.size() % kStatesAtATime != 0 || !run.isOver();
  };
  if (!open.placements.empty()) {
    for (const Placement& placement : open.placements)
      if (!add(maker.stateOf(placement))) return std::nullopt;
    return decision;
  }
  DistributedOpInterface op = open.members.front().op;
  auto planned = plan.ops.find(op);
  LoopNest nest = loopNestOf(op);
  if (hasPinnedSignature(op)) {
    if (auto signature = pinnedSignature(op, nest, space.mesh()))
      add(maker.stateOf(*signature));
    return decision;
  }
  if (planned != plan.ops.end()) {
    forEachSignature(nest, space.mesh(), [&](const MeshSignature& signature) {
      if (signature.operands == planned->second.operands &&
          signature.results == planned->second.results)
        add(maker.stateOf(signature));
    });
    return decision;
  }
  bool isOver = false;
  visitSignatures(
      nest, space.mesh(), space.groups(), [&](const MeshSignature& signature) {
        isOver = space.contains(signature) && !add(maker.stateOf(signature));
        return !isOver;
      });
  if (isOver) return std::nullopt;
  return decision;
}

}  // namespace sbp::search
