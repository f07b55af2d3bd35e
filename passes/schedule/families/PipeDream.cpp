// One forward, one backward without a flush: a step begins while the backwards
// of the step before it are still running.

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// Returns a table in which worker s runs, after the forward of each
/// micro-batch i, the backward of micro-batch i - (D - 1 - s). `update` appends
/// the tasks that come after this backward.
template <typename Update>
Table withoutFlush(const Shape& shape, Update update) {
  Table table;
  table.numStages = shape.depth;
  table.numMicroBatches = shape.microBatches;
  const int64_t numMicroBatches = shape.microBatches;
  for (int64_t stage = 0; stage < shape.depth; ++stage) {
    std::vector<Task>& tasks = table.workers.emplace_back();
    for (int64_t i = 0; i < numMicroBatches; ++i) {
      tasks.push_back({Kind::Forward, stage, i});
      // The backward is for the micro-batch that comes `distance` micro-batches
      // before the first one of the step.
      const int64_t distance = shape.depth - 1 - stage - i;  // may be below 0
      const int64_t stepsBefore =
          distance <= 0 ? 0
                        : (distance + numMicroBatches - 1) / numMicroBatches;
      const Task backward = {Kind::Backward, stage,
                             stepsBefore * numMicroBatches - distance, 1,
                             -stepsBefore};
      tasks.push_back(backward);
      update(backward, tasks);
    }
  }
  return table;
}

}  // namespace

absl::StatusOr<Table> makePipeDream(const Shape& shape) {
  return withoutFlush(shape, [](Task backward, std::vector<Task>& tasks) {
    backward.kind = Kind::Update;
    tasks.push_back(backward);
  });
}

absl::StatusOr<Table> makePipeDream2bw(const Shape& shape) {
  if (shape.microBatches < shape.depth)
    return error(
        "pipedream-2bw needs N >= D = {} micro-batches per update, so "
        "that two versions of the weights are enough; {} are given",
        shape.depth, shape.microBatches);
  Table table =
      withoutFlush(shape, [&](const Task& backward, std::vector<Task>& tasks) {
        if (backward.end() == shape.microBatches)
          tasks.push_back({Kind::Update, backward.stage, 0, shape.microBatches,
                           backward.stepOffset});
      });
  table.delay = 1;
  return table;
}

}  // namespace sbp::schedule
