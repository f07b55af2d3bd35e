#include "codegen/fuse/FusionGroups.h"

#include <algorithm>

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "passes/cost/LocalMemory.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

/// Largest number of operands and results, together, of a kernel. A CPU core
/// can prefetch about this number of streams of memory, and a thread of a GPU
/// has registers for this number.
constexpr size_t kMostTensors = 16;

/// The smallest extent at which an innermost loop is as fast as a longer one:
/// the number of elements of the longest vector.
constexpr int64_t kLongLoop = 16;

int64_t bytesOf(Value tensor) {
  return static_cast<int64_t>(
      llvm::alignTo(static_cast<uint64_t>(localBytes(tensor.getType())),
                    plan::kBufferAlignment));
}

int64_t bytesOf(ArrayRef<Value> tensors) {
  int64_t bytes = 0;
  for (Value tensor : tensors) bytes += bytesOf(tensor);
  return bytes;
}

/// Whether tensors of both types take the same memory in the same way.
bool areAlike(Value one, Value other) {
  auto a = llvm::cast<RankedTensorType>(one.getType());
  auto b = llvm::cast<RankedTensorType>(other.getType());
  return a.getElementType() == b.getElementType() &&
         a.getNumElements() == b.getNumElements();
}

/// Returns the bytes that `operands` and `results` take together, if a kernel
/// uses the operands last: each result takes the memory of an operand that is
/// like it (areAlike), if there is one.
int64_t bytesAtOnce(ArrayRef<Value> operands, ArrayRef<Value> results) {
  int64_t bytes = bytesOf(operands) + bytesOf(results);
  SmallVector<Value> free(operands);
  for (Value result : results)
    if (auto* operand = llvm::find_if(
            free, [&](Value value) { return areAlike(value, result); });
        operand != free.end()) {
      free.erase(operand);
      bytes -= bytesOf(result);
    }
  return bytes;
}

/// Returns the tensors in whose memory those values lie for which `holds` is
/// true, each tensor once.
template <typename Predicate>
SmallVector<Value> tensorsOf(ArrayRef<Value> values, Predicate holds) {
  llvm::SmallSetVector<Value, 8> tensors;
  for (Value value : values)
    if (holds(value)) tensors.insert(TensorLives::inMemory(value));
  return tensors.takeVector();
}

/// Whether the plan has a task for `op`, or may have some.
bool hasTask(Operation* op) {
  return !llvm::isa<nn::GetOp, nn::SetOp, nn::ReshapeOp, nn::RepetitionOp>(
             op) &&
         !isSplatConstant(op);
}

/// Whether some result becomes the value of a parameter.
bool updatesParameter(const FusionGroup& group) {
  return llvm::any_of(group.results(), [](Value result) {
    return llvm::any_of(result.getUsers(), [](Operation* user) {
      return llvm::isa<nn::SetOp>(user);
    });
  });
}

Attribute taskOf(const FusionGroup& group) {
  return group.ops().front()->getAttr(rank::kTaskAttrName);
}

}  // namespace

FusionGroups::FusionGroups(mlir::func::FuncOp function,
                           const ArgumentLives& arguments)
    : arguments_(arguments) {
  for (Operation& op : function.getBody().front()) {
    positions_[&op] = static_cast<int64_t>(ops_.size());
    ops_.push_back(&op);
  }
  for (Operation* op : ops_)
    if (FusionGroup::takes(op))
      groups_[op] = std::make_shared<FusionGroup>(op, positions_[op]);
  for (Operation* op : ops_)
    if (groups_.contains(op)) growGroupOf(op);
}

std::vector<const FusionGroup*> FusionGroups::all() const {
  std::vector<const FusionGroup*> groups;
  for (Operation* op : ops_)
    if (const FusionGroup* group = groupOf(op);
        group && group->ops().back() == op)
      groups.push_back(group);
  return groups;
}

void FusionGroups::growGroupOf(Operation* op) {
  bool grows = true;
  while (grows) {
    grows = false;
    const FusionGroup& later = *groups_[op];
    for (const FusionGroup* earlier : candidatesFor(later)) {
      auto joined = std::make_shared<FusionGroup>(*earlier, later);
      if (!canJoin(*earlier, later, *joined)) continue;
      for (Operation* inside : joined->ops()) groups_[inside] = joined;
      grows = true;
      break;
    }
  }
}

SmallVector<const FusionGroup*> FusionGroups::candidatesFor(
    const FusionGroup& group) const {
  llvm::SmallSetVector<const FusionGroup*, 8> candidates;
  auto add = [&](Operation* op) {
    const FusionGroup* other = op ? groupOf(op) : nullptr;
    if (other && other->position() < group.position()) candidates.insert(other);
  };
  for (Value input : group.inputs()) {
    add(input.getDefiningOp());
    // A broadcast input is small and may have many users: no reason to join.
    if (llvm::cast<RankedTensorType>(input.getType()).getShape() !=
        group.shape())
      continue;
    for (Operation* user : input.getUsers()) add(user);
  }
  SmallVector<const FusionGroup*> sorted(candidates.begin(), candidates.end());
  llvm::sort(sorted, [](const FusionGroup* a, const FusionGroup* b) {
    return a->position() > b->position();
  });
  return sorted;
}

bool FusionGroups::canJoin(const FusionGroup& earlier, const FusionGroup& later,
                           const FusionGroup& joined) const {
  if (earlier.shape() != later.shape() || taskOf(earlier) != taskOf(later) ||
      joined.inputs().size() + joined.results().size() > kMostTensors)
    return false;
  const bool isUsedBefore = llvm::any_of(earlier.results(), [&](Value result) {
    return llvm::any_of(result.getUsers(), [&](Operation* user) {
      return !joined.contains(user) && positionOf(user) < later.position();
    });
  });
  if (isUsedBefore) return false;
  // Updates of parameters run at the end of a step, other results before.
  if (joined.results().size() > 1 && updatesParameter(joined)) return false;
  const int64_t longest =
      std::max(earlier.innermostExtent(), later.innermostExtent());
  if (joined.innermostExtent() < std::min(longest, kLongLoop)) return false;
  return llvm::all_of(std::initializer_list<bool>{false, true}, [&](bool stay) {
    return keepsMemory(earlier, later, joined, TensorLives(arguments_, stay));
  });
}

bool FusionGroups::keepsMemory(const FusionGroup& earlier,
                               const FusionGroup& later,
                               const FusionGroup& joined,
                               const TensorLives& lives) const {
  auto lastUse = [&](Value value) {
    return lives.lastUse(value, [&](Operation* op) { return positionOf(op); });
  };
  // Returns the inputs of `group` that are not used after `position`.
  auto endsAt = [&](const FusionGroup& group, int64_t position) {
    return tensorsOf(group.inputs(),
                     [&](Value input) { return lastUse(input) <= position; });
  };
  const SmallVector<Value> endEarlier = endsAt(earlier, earlier.position());
  const SmallVector<Value> endLater = endsAt(later, later.position());
  const SmallVector<Value> endJoined = endsAt(joined, joined.position());
  const bool isApart = hasTaskBetween(earlier, later);
  if (isApart) {
    // Between the two groups, these inputs become live instead of the results.
    const SmallVector<Value> longer = tensorsOf(
        earlier.inputs(),
        [&](Value input) { return lastUse(input) < later.position(); });
    if (bytesOf(longer) > bytesOf(earlier.results())) return false;
  }
  // Results of the earlier group that live on after the later one.
  const SmallVector<Value> liveOn = tensorsOf(
      earlier.results(),
      [&](Value result) { return lastUse(result) > later.position(); });
  const int64_t atLater =
      bytesAtOnce(endLater, later.results()) + bytesOf(liveOn);
  int64_t before = atLater;
  if (!isApart) {
    // Inputs that the later group uses last are live at the earlier one, too.
    const SmallVector<Value> others = tensorsOf(endLater, [&](Value input) {
      return !llvm::is_contained(earlier.results(), input) &&
             !llvm::is_contained(endEarlier, input);
    });
    before = std::max(
        before, bytesAtOnce(endEarlier, earlier.results()) + bytesOf(others));
  }
  return bytesAtOnce(endJoined, joined.results()) <= before;
}

bool FusionGroups::hasTaskBetween(const FusionGroup& earlier,
                                  const FusionGroup& later) const {
  for (int64_t at = earlier.position() + 1; at < later.position(); ++at) {
    Operation* op = ops_[at];
    if (earlier.contains(op) || later.contains(op) || !hasTask(op)) continue;
    // An op whose group runs later has no task here.
    if (positionOf(op) == at) return true;
  }
  return false;
}

const FusionGroup* FusionGroups::groupOf(Operation* op) const {
  auto group = groups_.find(op);
  return group == groups_.end() ? nullptr : group->second.get();
}

int64_t FusionGroups::positionOf(Operation* op) const {
  const FusionGroup* group = groupOf(op);
  return group ? group->position() : positions_.lookup(op);
}

}  // namespace sbp
