// Chimera: pairs of opposite pipes in the bubbles of one another.
//
// In slots of equal length, the j-th micro-batch of a pipe has in unit u
//
//   forward of stage s    slot 2Du + s + 2j
//   backward              slot 2Du + 2D - 1 - s + 2j
//
// whichever way the pipe runs. On worker w = s of a pipe downwards forwards
// have the parity of w, on worker w = D - 1 - s of one upwards the other, and
// backwards the opposite: no two tasks want one slot as long as a pipe has at
// most D/2f micro-batches in a unit. Workers run their tasks in the order of
// slots.
//
// With forwards that cover two parts, a forward is followed by two backwards,
// the second of which D slots later, and a unit takes 3D slots. The parts are
// micro-batches (doubling) or halves of them (halving).

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// A pipe of the f pairs: where its stages are.
struct Pipe {
  int64_t firstWorker = 0;
  bool isUpwards = false;

  int64_t workerOf(int64_t stage, int64_t depth) const {
    return (firstWorker + (isUpwards ? depth - 1 - stage : stage)) % depth;
  }
};

/// The slots of all tasks, which become the workers' lists.
class Slots {
 public:
  Slots(int64_t depth, int64_t partsPerForward)
      : depth_(depth),
        partsPerForward_(partsPerForward),
        unitSlots_((1 + partsPerForward) * depth),
        workers_(depth) {}

  /// Forward number `forward` of all, the `inPipe`-th of `pipe` in `unit`, and
  /// its backwards.
  void add(const Pipe& pipe, int64_t unit, int64_t inPipe, int64_t forward) {
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

std::vector<Pipe> pipesOf(int64_t depth, int64_t pairs) {
  std::vector<Pipe> pipes;
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
  const std::vector<Pipe> pipes = pipesOf(depth, pairs);
  const int64_t numPipes = 2 * pairs;
  const int64_t numForwards =
      isDoubled ? shape.microBatches / 2 : shape.microBatches;
  Slots slots(depth, isDoubled || isHalved ? 2 : 1);
  // A unit has D forwards, the last one perhaps fewer: neighbours go through
  // one pipe, and the first pipes have one more where they do not divide
  // evenly.
  for (int64_t first = 0; first < numForwards; first += depth) {
    const int64_t ofUnit = std::min(depth, numForwards - first);
    int64_t forward = first;
    for (int64_t pipe = 0; pipe < numPipes; ++pipe) {
      const int64_t ofPipe =
          ofUnit / numPipes + (pipe < ofUnit % numPipes ? 1 : 0);
      for (int64_t i = 0; i < ofPipe; ++i)
        slots.add(pipes[pipe], first / depth, i, forward++);
    }
  }
  Table table;
  table.numStages = depth;
  table.numMicroBatches = shape.microBatches;
  table.partsPerMicroBatch = isHalved ? 2 : 1;
  table.workers = slots.lists();
  return table;
}

}  // namespace sbp::schedule
