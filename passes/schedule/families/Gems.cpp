// Two opposite pipes that alternate micro-batch by micro-batch.

#include "passes/schedule/families/Generators.h"

namespace sbp::schedule {

absl::StatusOr<Table> makeGems(const Shape& shape) {
  Table table;
  table.numStages = shape.depth;
  table.numMicroBatches = shape.microBatches;
  for (int64_t worker = 0; worker < shape.depth; ++worker) {
    std::vector<Task>& tasks = table.workers.emplace_back();
    for (int64_t i = 0; i < shape.microBatches; ++i)
      for (Kind kind : {Kind::Forward, Kind::Backward})
        tasks.push_back(
            {kind, i % 2 == 0 ? worker : shape.depth - 1 - worker, i});
  }
  return table;
}

}  // namespace sbp::schedule
