// What a collective should give, computed the slow way: one element at a time,
// from all members' inputs, straight from the definitions in plan/Plan.h.

#ifndef RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_
#define RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// On which ranks an all-reduce or to-partial writes its result over its
/// operand.
enum class InPlace { kNowhere, kEverywhere, kOnOddRanks };

/// A collective as a group sees it: `shape` is whole along every dimension that
/// some member has a part of.
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

/// "all_gather over [0,2] of 3x5xf32, dim 1".
std::string describe(const WholeCollective& whole);

/// The task of `rank`. Its buffers follow each other, from `arenaOffset` on
/// that differs from rank to rank, as it does when ranks run different
/// programs.
plan::CollectiveTask localTask(const WholeCollective& whole,
                               const std::vector<plan::Axis>& mesh,
                               int64_t rank);

/// Bytes of the arena that localTask needs.
int64_t arenaBytesOf(const plan::CollectiveTask& task);

/// Some input: it depends on the rank and the place, and sums of its floating-
/// point numbers depend on their order.
std::vector<std::byte> makeInput(const plan::CollectiveTask& task,
                                 int64_t rank);

/// What `rank` must find in `out`, given everybody's makeInput.
std::vector<std::byte> expectedOutput(const WholeCollective& whole,
                                      const std::vector<plan::Axis>& mesh,
                                      int64_t rank);

/// Collectives of every kind, over every set of axes: uneven and empty parts,
/// all element types and reductions, short and long.
std::vector<WholeCollective> everyKind(const std::vector<plan::Axis>& mesh);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_COLLECTIVEORACLE_H_
