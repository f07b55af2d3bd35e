// The expected results of collectives, computed one element at a time from all
// members' inputs, by the definitions in plan/Tasks.h.

#ifndef RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_
#define RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// The ranks on which an all-reduce or to-partial overwrites its operand.
enum class InPlace { kNowhere, kEverywhere, kOnOddRanks };

/// A collective as its group sees it. `shape` is the shape of the whole tensor;
/// each member has a part of it as operand or result. The other fields are
/// those of plan::CollectiveTask.
struct WholeCollective {
  plan::CollectiveTask::Kind kind = plan::CollectiveTask::Kind::kAllReduce;
  std::vector<int64_t> axes;
  std::vector<int64_t> shape;
  int64_t dim = 0;
  int64_t splitDim = 0;
  int64_t low = 0, high = 0;
  plan::ElementType elementType = plan::ElementType::kF32;
  plan::ReductionKind reduction = plan::ReductionKind::kSum;
  InPlace inPlace = InPlace::kNowhere;
};

/// Returns "all_gather sum over axes 0,2 of 3x5xf32, dim 1, splitDim 0, low 0,
/// high 0".
std::string describe(const WholeCollective& whole);

/// Returns the task of `rank`. Its buffers follow each other in the arena,
/// unless it is in place. Their offsets differ from rank to rank, as they do
/// when ranks run different programs.
plan::CollectiveTask localTask(const WholeCollective& whole,
                               const std::vector<plan::Axis>& mesh,
                               int64_t rank);

/// Returns the size in bytes of the arena that the task needs.
int64_t arenaBytesOf(const plan::CollectiveTask& task);

/// Returns the operand of `rank`. An element depends on the rank and its index,
/// and sums of floating-point elements depend on their order.
std::vector<std::byte> makeInput(const plan::CollectiveTask& task,
                                 int64_t rank);

/// Returns what `rank` must find in `out` if all ranks have the results of
/// makeInput() in `in`.
std::vector<std::byte> expectedOutput(const WholeCollective& whole,
                                      const std::vector<plan::Axis>& mesh,
                                      int64_t rank);

/// Returns collectives of every kind, over every set of axes: with uneven and
/// empty parts, and all element types and reductions. The reducing kinds are
/// short and long.
std::vector<WholeCollective> everyKind(const std::vector<plan::Axis>& mesh);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_
