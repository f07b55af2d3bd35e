// The gates of a world. A gate is a barrier among the members of collectives
// (RankMemory.h).
//
// The members of a collective are determined by the rank that runs it, its
// group and its axes. So each rank has one gate for each group of the plan and
// each set of axes of this group. The last gate is one for all ranks.

#ifndef RUNTIME_COMMUNICATION_GATES_H_
#define RUNTIME_COMMUNICATION_GATES_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// Numbers the gates of a world.
class Gates {
 public:
  explicit Gates(const std::vector<plan::Group>& groups) {
    for (const plan::Group& group : groups) {
      firsts.push_back(next);
      next += uint64_t{1} << group.axes.size();
    }
  }

  /// Returns the number of gates, including that of all ranks.
  int64_t count() const { return static_cast<int64_t>(next) + 1; }

  /// Returns the number of the gate of all ranks.
  uint64_t ofEveryone() const { return next; }

  /// Returns the number of the gate of collectives over `axes` of group
  /// `group`, an index into the plan's groups.
  uint64_t of(int64_t group, const std::vector<int64_t>& axes) const {
    uint64_t gate = firsts[group];
    for (int64_t axis : axes) gate += uint64_t{1} << axis;
    return gate;
  }

 private:
  std::vector<uint64_t> firsts;  // by group
  uint64_t next = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_GATES_H_
