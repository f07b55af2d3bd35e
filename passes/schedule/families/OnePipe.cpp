// One pipe, one stage per worker: GPipe, and "one forward, one backward".

#include <algorithm>

#include "passes/schedule/families/Generators.h"

namespace sbp::schedule {
namespace {

Table emptyTable(const Shape& shape) {
  Table table;
  table.numStages = shape.depth;
  table.numMicroBatches = shape.microBatches;
  table.workers.resize(shape.depth);
  return table;
}

/// Returns a table in which each worker starts with `numWarmUp(worker)`
/// forwards, then alternates a forward and a backward, and ends with the
/// remaining backwards.
template <typename NumWarmUp>
Table oneForwardOneBackward(const Shape& shape, NumWarmUp numWarmUp) {
  Table table = emptyTable(shape);
  const int64_t numMicroBatches = shape.microBatches;
  for (int64_t stage = 0; stage < shape.depth; ++stage) {
    std::vector<Task>& tasks = table.workers[stage];
    const int64_t warmUp = std::min(numMicroBatches, numWarmUp(stage));
    for (int64_t i = 0; i < numMicroBatches + warmUp; ++i) {
      if (i < numMicroBatches) tasks.push_back({Kind::Forward, stage, i});
      if (i >= warmUp) tasks.push_back({Kind::Backward, stage, i - warmUp});
    }
  }
  return table;
}

}  // namespace

absl::StatusOr<Table> makeGPipe(const Shape& shape) {
  Table table = emptyTable(shape);
  for (int64_t stage = 0; stage < shape.depth; ++stage)
    for (Kind kind : {Kind::Forward, Kind::Backward})
      for (int64_t i = 0; i < shape.microBatches; ++i)
        table.workers[stage].push_back({kind, stage, i});
  return table;
}

absl::StatusOr<Table> makeOneForwardOneBackward(const Shape& shape) {
  return oneForwardOneBackward(
      shape, [&](int64_t stage) { return shape.depth - 1 - stage; });
}

absl::StatusOr<Table> makeEagerOneForwardOneBackward(const Shape& shape) {
  return oneForwardOneBackward(
      shape, [&](int64_t stage) { return 2 * (shape.depth - 1 - stage); });
}

}  // namespace sbp::schedule
