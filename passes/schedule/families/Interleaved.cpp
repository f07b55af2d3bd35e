// Several chunks of the model on each worker: bubbles are as short as a chunk.

#include <algorithm>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {

absl::StatusOr<Table> makeInterleaved(const Shape& shape) {
  const int64_t depth = shape.depth, chunks = shape.chunks.value_or(2);
  const int64_t microBatches = shape.microBatches;
  if (chunks < 2)
    return error(
        "interleaved needs 2 or more chunks per worker; {} is given, "
        "which is 1f1b",
        chunks);
  if (microBatches % depth != 0)
    return error(
        "interleaved needs a multiple of {} micro-batches for {} "
        "workers; {} are given",
        depth, depth, microBatches);
  Table table;
  table.numStages = depth * chunks;
  table.numMicroBatches = microBatches;
  const int64_t numForwards = microBatches * chunks;
  // Groups of `depth` micro-batches go through the chunks one after the other.
  // `index` is the number of a forward, or of a backward, of a worker over all
  // chunks.
  auto microBatchOf = [&](int64_t index) {
    return index / (depth * chunks) * depth + index % depth;
  };
  auto chunkOf = [&](int64_t index) { return index / depth % chunks; };
  for (int64_t worker = 0; worker < depth; ++worker) {
    std::vector<Task>& tasks = table.workers.emplace_back();
    const int64_t warmUp =
        std::min(numForwards, 2 * (depth - worker - 1) + (chunks - 1) * depth);
    for (int64_t index = 0; index < numForwards + warmUp; ++index) {
      if (index < numForwards)
        tasks.push_back({Kind::Forward, chunkOf(index) * depth + worker,
                         microBatchOf(index)});
      if (const int64_t back = index - warmUp; back >= 0)
        tasks.push_back({Kind::Backward,
                         (chunks - 1 - chunkOf(back)) * depth + worker,
                         microBatchOf(back)});
    }
  }
  return table;
}

}  // namespace sbp::schedule
