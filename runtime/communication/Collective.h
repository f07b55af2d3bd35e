// The plan of a collective for one rank: which bytes it takes from which
// member, and where it puts them.
//
// A collective that involves other ranks has one or two phases. In a phase each
// member takes a box (a range of indices per dimension) from the buffer of each
// member, itself included. It stores the boxes side by side in its own result
// (copy), or combines them (reduce). In this table, I am the member that takes,
// `m` is each member in turn, and `in` and `out` are a member's operand and
// result:
//
//   all-gather       copy     all of m's in           to part m of out
//   all-to-all       copy     my part of m's in       to part m of out
//   halo exchange    copy     what I want of m's in   to its place in out
//   reduce-scatter   reduce   my part of every in     to out
//   all-reduce       reduce   my slice of every in    to my slice of out, then
//                    copy     m's slice of m's out    to the same of out
//
// Where memory is shared, members read each other's buffers, and no member
// sends. Otherwise a rank sends to member m the boxes that m takes from it;
// both ranks compute the same boxes.
//
// A collective moves one tensor, or all tensors of a bucket
// (plan::CollectiveTask::bucket), each as if it were alone: in a phase a member
// takes a box of each tensor.
//
// A short all-reduce has one phase, in which every member reduces all elements:
// each member reads more, but waits one time less. A long all-reduce has the
// two phases of the table; its slices are parts of the concatenation of all its
// tensors.
//
// An all-reduce may be in place (`out` is `in`) on some members and not on
// others.

#ifndef RUNTIME_COMMUNICATION_COLLECTIVE_H_
#define RUNTIME_COMMUNICATION_COLLECTIVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/RowCopy.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// A box of one of the tensors that a collective moves.
struct TensorBox {
  size_t tensor = 0;  // index into PreparedCollective::tensors
  RowCopy rows;       // from the giver's buffer to the taker's buffer
};

/// The boxes that one member takes from another one in a phase.
struct Boxes {
  std::vector<TensorBox> all;  // in the order of tensors; none is empty
  int64_t bytes = 0;
};

/// One phase of a collective, as this rank sees it: the boxes that it takes
/// from each member, and the boxes that each member takes from it.
struct Phase {
  /// Whether the received boxes are stored side by side or combined.
  enum class Kind { kCopy, kReduce };
  Kind kind = Kind::kCopy;
  bool readsOut = false;        // boxes are taken from `out` instead of `in`
  std::vector<Boxes> received;  // by member: boxes that this rank takes
  std::vector<Boxes> sent;      // by member: boxes that the member takes
};

/// One of the tensors that a collective moves.
struct PreparedTensor {
  plan::CollectiveTask task;
  bool fillsIdentity = false;  // fills `out` with the identity first
  bool setsAside = false;  // keeps its result aside until all have read `in`

  /// For local kinds (plan::isLocal): the copies from `in` to `out`, or the
  /// value of kOffset.
  std::vector<RowCopy> localCopies;
  int64_t offsetValue = 0;

  int64_t inBytes = 0;
  int64_t outBytes = 0;
};

/// A collective, prepared for one of its members.
struct PreparedCollective {
  uint64_t gate = 0;             // number of the members' gate (Gates.h)
  std::vector<int64_t> members;  // ranks, in the order of the group
  int64_t me = 0;                // position of this rank in `members`
  // Name for people, "all_reduce over data"; null in a world of one rank.
  const std::string* name = nullptr;
  /// Hash of everything on which members must agree. The low byte is the kind.
  uint64_t signature = 0;
  std::vector<PreparedTensor> tensors;
  std::vector<CollectiveBuffers> buffers;  // as the tasks name them
  std::vector<Phase> phases;               // empty for local kinds
  int64_t asideBytes = 0;                  // size of all results kept aside
  int64_t bytesFromOthers = 0;             // received per run
};

/// Returns the members of a collective over `axes` of `group` when `rank` runs
/// it: the ranks of the group that have the coordinates of `rank` on all other
/// axes. They are ordered row-major over `axes`.
std::vector<int64_t> membersOf(const plan::Group& group,
                               const std::vector<int64_t>& axes, int64_t rank);

/// Returns the error for two members that meet in a collective but run
/// collectives of different signatures or sizes. Uses only the low byte of each
/// signature, which is the kind.
absl::Status mismatch(int64_t rank, uint64_t signature, int64_t otherRank,
                      uint64_t otherSignature);

/// Prepares `tasks` as one collective for rank `rank`, which is in `group`, the
/// tasks' group. There must be at least one task, and they must have passed the
/// plan's checks. Leaves `gate` and `name` unset.
PreparedCollective prepareCollective(
    const std::vector<plan::CollectiveTask>& tasks, const plan::Group& group,
    int64_t rank);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COLLECTIVE_H_
