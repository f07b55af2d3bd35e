// DeepSeek's DualPipe and DualPipe-V.
//
// A worker has two flows of micro-batches. In DualPipe these are two pipes in
// opposite directions. In DualPipe-V they are the first and the second half of
// one pipe, which is folded in the middle. A worker runs the tasks of its flows
// in the same order in both.

#include <algorithm>
#include <deque>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// One of a worker's two flows: its stage and the first of its micro-batches.
struct Flow {
  int64_t stage = 0;
  int64_t firstMicroBatch = 0;
};

/// Appends tasks to the list of a worker. The tasks of each kind and flow are
/// appended in the order of micro-batches.
class Worker {
 public:
  Worker(Flow near, Flow far, std::vector<Task>& tasks)
      : flows_{near, far}, tasks_(tasks) {}

  /// Appends the flow's next forward.
  void forward(int flow) { add(Kind::Forward, flow, forwards_[flow]++); }

  /// Appends the flow's next backward. If it is in halves, appends the backward
  /// of inputs and defers the backward of weights.
  void backward(int flow, bool isInHalves) {
    const int64_t microBatch = backwards_[flow]++;
    add(isInHalves ? Kind::Input : Kind::Backward, flow, microBatch);
    if (isInHalves) putOff_.push_back({flow, microBatch});
  }

  /// Appends the oldest deferred backward of weights.
  void weight() {
    const auto [flow, microBatch] = putOff_.front();
    putOff_.pop_front();
    add(Kind::Weight, flow, microBatch);
  }

 private:
  struct PutOff {
    int flow;
    int64_t microBatch;
  };

  void add(Kind kind, int flow, int64_t microBatch) {
    tasks_.push_back(
        {kind, flows_[flow].stage, flows_[flow].firstMicroBatch + microBatch});
  }

  Flow flows_[2];
  int64_t forwards_[2] = {}, backwards_[2] = {};
  std::deque<PutOff> putOff_;
  std::vector<Task>& tasks_;
};

/// Appends the eight phases of a worker. The worker is `fromEnd` workers from
/// the end of its half of the pipe. A half has `half` workers, and each flow
/// has `each` micro-batches. A forward and a backward that may overlap are
/// appended one after the other.
void runPhases(Worker& worker, int64_t fromEnd, int64_t half, int64_t each) {
  const int64_t inside = half - fromEnd - 1;
  for (int64_t i = 0; i < 2 * inside; ++i) worker.forward(0);
  for (int64_t i = 0; i <= fromEnd; ++i) {
    worker.forward(0);
    worker.forward(1);
  }
  for (int64_t i = 0; i < inside; ++i) {
    worker.backward(1, /*isInHalves=*/true);
    worker.weight();
    worker.forward(1);
  }
  for (int64_t i = 0; i < each - 2 * half + fromEnd + 1; ++i) {
    worker.forward(0);
    worker.backward(1, /*isInHalves=*/false);
    worker.forward(1);
    worker.backward(0, /*isInHalves=*/false);
  }
  for (int64_t i = 0; i < inside; ++i) {
    worker.backward(1, /*isInHalves=*/false);
    worker.forward(1);
    worker.backward(0, /*isInHalves=*/false);
  }
  // The second half of these backwards are in halves. Their backwards of
  // weights fill the end.
  const int64_t numLast = 2 * (fromEnd + 1), firstInHalves = fromEnd + 1;
  for (int64_t i = 0; i < numLast; ++i)
    worker.backward(i % 2 == 0 ? 1 : 0, /*isInHalves=*/i >= firstInHalves);
  for (int64_t i = 0; i < inside; ++i) {
    worker.weight();
    worker.backward(0, /*isInHalves=*/true);
  }
  for (int64_t i = 0; i <= fromEnd; ++i) worker.weight();
}

}  // namespace

absl::StatusOr<Table> makeDualPipe(const Shape& shape) {
  const int64_t depth = shape.depth, microBatches = shape.microBatches;
  if (depth % 2 != 0)
    return error("dualpipe needs an even number of workers; {} are given",
                 depth);
  if (microBatches % 2 != 0 || microBatches < 2 * depth)
    return error(
        "dualpipe needs an even number of micro-batches, at least 2D "
        "= {} for {} workers; {} are given",
        2 * depth, depth, microBatches);
  Table table;
  table.numStages = depth;
  table.numMicroBatches = microBatches;
  table.workers.resize(depth);
  for (int64_t rank = 0; rank < depth; ++rank) {
    const Flow down = {rank, 0}, up = {depth - 1 - rank, microBatches / 2};
    const bool isFirstHalf = rank < depth / 2;
    Worker worker(isFirstHalf ? down : up, isFirstHalf ? up : down,
                  table.workers[rank]);
    runPhases(worker, std::min(rank, depth - 1 - rank), depth / 2,
              microBatches / 2);
  }
  return table;
}

absl::StatusOr<Table> makeDualPipeV(const Shape& shape) {
  const int64_t depth = shape.depth, microBatches = shape.microBatches;
  if (microBatches < 2 * depth)
    return error(
        "dualpipe-v needs N >= 2D = {} micro-batches for {} workers; "
        "{} are given",
        2 * depth, depth, microBatches);
  Table table;
  table.numStages = 2 * depth;
  table.numMicroBatches = microBatches;
  table.workers.resize(depth);
  for (int64_t rank = 0; rank < depth; ++rank) {
    Worker worker({rank, 0}, {2 * depth - 1 - rank, 0}, table.workers[rank]);
    runPhases(worker, rank, depth, microBatches);
  }
  return table;
}

}  // namespace sbp::schedule
