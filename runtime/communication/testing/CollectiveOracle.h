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

/// Describes `whole`: "all_gather sum over axes 0,2 of 3x5xf32, dim 1, splitDim
/// 0, low 0, high 0".
std::string describe(const WholeCollective& whole);

/// Returns the task of `rank`. The buffers of the task follow each other in the
/// arena, unless the task is in place. Their offsets differ from rank to rank,
/// as they do when ranks run different programs.
plan::CollectiveTask localTask(const WholeCollective& whole,
                               const std::vector<plan::Axis>& mesh,
                               int64_t rank);

/// Returns the size in bytes of the arena that the task needs.
int64_t arenaBytesOf(const plan::CollectiveTask& task);

/// Returns the operand of `rank`. An element depends on the rank and on the
/// element's index. Floating-point elements are chosen so that their sum
/// depends on the order of addition.
std::vector<std::byte> makeInput(const plan::CollectiveTask& task,
                                 int64_t rank);

/// Returns what `out` must contain on `rank` after the collective, if on every
/// rank `in` has contained the result of makeInput().
std::vector<std::byte> expectedOutput(const WholeCollective& whole,
                                      const std::vector<plan::Axis>& mesh,
                                      int64_t rank);

/// Returns collectives of every kind, over every set of axes, some with uneven
/// or empty parts, with all element types and reductions. Of the kinds that
/// reduce, there are short and long ones (Collective.h).
std::vector<WholeCollective> everyKind(const std::vector<plan::Axis>& mesh);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_
