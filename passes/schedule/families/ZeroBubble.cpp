// Schedules with backwards in halves. Backwards of weights are deferred so that
// they fill bubbles.

#include <algorithm>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// Returns a table with one stage per worker. The backward of inputs of
/// micro-batch i comes directly after the forward of micro-batch i +
/// numInFlight(worker) - 1, and directly before the backward of weights of
/// micro-batch i - weightDelay(worker).
template <typename NumInFlight, typename WeightDelay>
Table inHalves(const Shape& shape, NumInFlight numInFlight,
               WeightDelay weightDelay) {
  Table table;
  table.numStages = shape.depth;
  table.numMicroBatches = shape.microBatches;
  for (int64_t worker = 0; worker < shape.depth; ++worker) {
    std::vector<Task>& tasks = table.workers.emplace_back();
    auto add = [&](Kind kind, int64_t microBatch) {
      if (microBatch >= 0 && microBatch < shape.microBatches)
        tasks.push_back({kind, worker, microBatch});
    };
    for (int64_t i = 0; i < numInFlight(worker) - 1; ++i) add(Kind::Forward, i);
    for (int64_t i = 0; i < shape.microBatches + weightDelay(worker); ++i) {
      add(Kind::Forward, i + numInFlight(worker) - 1);
      add(Kind::Input, i);
      add(Kind::Weight, i - weightDelay(worker));
    }
  }
  return table;
}

/// Appends tasks to the list of a worker of zb-v. Each task is for the next
/// micro-batch of its kind and chunk. Chunk 0 is the worker's stage in the
/// first half of the pipe, chunk 1 its stage in the second half.
class VWorker {
 public:
  VWorker(int64_t depth, int64_t worker, std::vector<Task>& tasks)
      : stages_{worker, 2 * depth - 1 - worker}, tasks_(tasks) {}

  int64_t done(Kind kind, int chunk) const {
    return next_[static_cast<int>(kind)][chunk];
  }

  void run(Kind kind, int chunk) {
    tasks_.push_back(
        {kind, stages_[chunk], next_[static_cast<int>(kind)][chunk]++});
  }

  void runBack(int chunk) {
    run(Kind::Input, chunk);
    run(Kind::Weight, chunk);
  }

 private:
  int64_t stages_[2];
  int64_t next_[4][2] = {};  // micro-batch, by kind and chunk
  std::vector<Task>& tasks_;
};

absl::Status checkLongEnough(std::string_view name, const Shape& shape) {
  const int64_t least = 2 * shape.depth - 1;
  if (shape.microBatches >= least) return absl::OkStatus();
  return error(
      "{} needs N >= 2D-1 = {} micro-batches for {} workers; {} are "
      "given",
      name, least, shape.depth, shape.microBatches);
}

}  // namespace

absl::StatusOr<Table> makeZeroBubbleH1(const Shape& shape) {
  return inHalves(
      shape, [&](int64_t worker) { return shape.depth - worker; },
      [](int64_t worker) { return worker; });
}

absl::StatusOr<Table> makeZeroBubbleH2(const Shape& shape) {
  SBP_RETURN_IF_ERROR(checkLongEnough("zb-h2", shape));
  return inHalves(
      shape, [&](int64_t worker) { return 2 * (shape.depth - worker) - 1; },
      [](int64_t worker) { return 2 * worker; });
}

absl::StatusOr<Table> makeZeroBubbleV(const Shape& shape) {
  SBP_RETURN_IF_ERROR(checkLongEnough("zb-v", shape));
  const int64_t depth = shape.depth, all = shape.microBatches;
  Table table;
  table.numStages = 2 * depth;
  table.numMicroBatches = all;
  table.workers.resize(depth);
  for (int64_t rank = 0; rank < depth; ++rank) {
    VWorker worker(depth, rank, table.workers[rank]);
    for (int64_t i = 0; i < 2 * (depth - rank) - 1; ++i)
      worker.run(Kind::Forward, 0);
    for (int64_t i = 0; i < rank; ++i) {
      worker.run(Kind::Forward, 1);
      worker.run(Kind::Forward, 0);
    }
    for (int64_t i = 0; i < depth - rank; ++i) {
      worker.run(Kind::Forward, 1);
      worker.runBack(1);
    }
    while (worker.done(Kind::Forward, 1) < all) {
      if (worker.done(Kind::Forward, 0) < all) worker.run(Kind::Forward, 0);
      worker.runBack(0);
      worker.run(Kind::Forward, 1);
      worker.runBack(1);
    }
    for (int64_t i = 0; i < rank; ++i) {
      worker.run(Kind::Input, 0);
      worker.run(Kind::Input, 1);
    }
    for (int64_t i = 0; i < depth - rank; ++i) {
      worker.run(Kind::Input, 0);
      worker.run(Kind::Weight, 0);
    }
    for (int chunk : {1, 0})
      while (worker.done(Kind::Weight, chunk) < all)
        worker.run(Kind::Weight, chunk);
  }
  return table;
}

}  // namespace sbp::schedule
