// Chimera: pairs of opposite pipes that fill one another's bubbles.
//
// Time is divided into slots of equal length, and micro-batches into units of
// up to D. The j-th micro-batch of a pipe in unit u has its
//
//   forward of stage s     in slot 2Du + s + 2j
//   backward of stage s    in slot 2Du + 2D - 1 - s + 2j
//
// in either direction of the pipe. On worker w, a pipe that runs downwards has
// stage w, and its forwards are in slots of the parity of w. A pipe that runs
// upwards has stage D - 1 - w, and its forwards are in slots of the other
// parity. Backwards have the opposite parity of their pipe's forwards. So no
// two tasks are in the same slot, as long as a pipe has at most D/2f
// micro-batches in a unit. Workers run their tasks in the order of slots.
//
// If forwards cover two parts, a forward is followed by two backwards, the
// second one D slots after the first, and a unit takes 3D slots. The parts are
// micro-batches (doubling) or halves of them (halving).

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// One pipe of the f pairs: the worker of each stage.
struct DirectedPipe {
  int64_t firstWorker = 0;
  bool isUpwards = false;

  int64_t workerOf(int64_t stage, int64_t depth) const {
    return (firstWorker + (isUpwards ? depth - 1 - stage : stage)) % depth;
  }
};

/// The tasks of each worker with their slots. The workers' lists are made from
/// them.
class SlotPlan {
 public:
  SlotPlan(int64_t depth, int64_t partsPerForward)
      : depth_(depth),
        partsPerForward_(partsPerForward),
        unitSlots_((1 + partsPerForward) * depth),
        workers_(depth) {}

  /// Adds forward number `forward` of the step and its backwards. In `unit`, it
  /// is forward number `inPipe` of `pipe`.
  void add(const DirectedPipe& pipe, int64_t unit, int64_t inPipe,
           int64_t forward) {
    const int64_t first = forward * partsPerForward_;
    const int64_t start = unit * unitSlots_ + 2 * inPipe;
    for (int64_t stage = 0; stage < depth_; ++stage) {
      auto& tasks = workers_[pipe.workerOf(stage, depth_)];
      tasks.push_back(
          {start + stage, {Kind::Forward, stage, first, partsPerForward_}});
      for (int64_t part = 0; part < partsPerForward_; ++part)
        tasks.push_back({start + 2 * depth_ - 1 - stage + part * depth_,
                         {Kind::Backward, stage, first + part}});
    }
  }

  std::vector<std::vector<Task>> lists() {
    std::vector<std::vector<Task>> lists;
    for (auto& tasks : workers_) {
      std::sort(tasks.begin(), tasks.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      lists.emplace_back();
      for (const auto& [slot, task] : tasks) lists.back().push_back(task);
    }
    return lists;
  }

 private:
  int64_t depth_, partsPerForward_, unitSlots_;
  std::vector<std::vector<std::pair<int64_t, Task>>> workers_;
};

std::vector<DirectedPipe> pipesOf(int64_t depth, int64_t pairs) {
  std::vector<DirectedPipe> pipes;
  for (int64_t pair = 0; pair < pairs; ++pair)
    for (bool isUpwards : {false, true})
      pipes.push_back({pair * depth / pairs, isUpwards});
  return pipes;
}

absl::Status checkShape(int64_t depth, int64_t pairs) {
  if (depth % 2 != 0)
    return error("chimera needs an even number of workers; {} are given",
                 depth);
  if (pairs < 1 || depth / 2 % pairs != 0)
    return error(
        "chimera needs a number of pairs of pipes that divides D/2 = "
        "{}; {} are given",
        depth / 2, pairs);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Table> makeChimera(const Shape& shape) {
  const int64_t depth = shape.depth, pairs = shape.pairs.value_or(1);
  SBP_RETURN_IF_ERROR(checkShape(depth, pairs));
  const bool isDoubled = shape.variant == "doubling";
  const bool isHalved = shape.variant == "halving";
  if (isDoubled && shape.microBatches % 2 != 0)
    return error(
        "chimera with forward doubling needs an even number of "
        "micro-batches; {} are given",
        shape.microBatches);
  const std::vector<DirectedPipe> pipes = pipesOf(depth, pairs);
  const int64_t numPipes = 2 * pairs;
  const int64_t numForwards =
      isDoubled ? shape.microBatches / 2 : shape.microBatches;
  SlotPlan plan(depth, isDoubled || isHalved ? 2 : 1);
  // A unit has D forwards; the last unit may have fewer. Consecutive forwards
  // go through the same pipe. If the forwards cannot be divided evenly, the
  // first pipes have one more.
  for (int64_t first = 0; first < numForwards; first += depth) {
    const int64_t ofUnit = std::min(depth, numForwards - first);
    int64_t forward = first;
    for (int64_t pipe = 0; pipe < numPipes; ++pipe) {
      const int64_t ofPipe =
          ofUnit / numPipes + (pipe < ofUnit % numPipes ? 1 : 0);
      for (int64_t i = 0; i < ofPipe; ++i)
        plan.add(pipes[pipe], first / depth, i, forward++);
    }
  }
  Table table;
  table.numStages = depth;
  table.numMicroBatches = shape.microBatches;
  table.partsPerMicroBatch = isHalved ? 2 : 1;
  table.workers = plan.lists();
  return table;
}

}  // namespace sbp::schedule
