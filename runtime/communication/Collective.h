// A collective of one rank, worked out: who, what, from where, to where.
//
// Every collective is one or two phases. In a phase each member takes a box of
// some member's buffer, for each member, and puts it into its own result, side
// by side (copy) or combined (reduce):
//
//   all-gather       copy     all of m's in           to part m of out
//   all-to-all       copy     my part of m's in       to part m of out
//   halo exchange    copy     what I want of m's in   to its place in out
//   reduce-scatter   reduce   my part of every in     to out
//   all-reduce       reduce   my slice of every in    to my slice of out, then
//                    copy     m's slice of m's out    to the same of out
//
// Nobody sends in this picture: where memory is shared, members read. Where it
// is not, what member m would read of mine is what I must send it, and both
// sides work it out alike.
//
// A collective moves one tensor, or all those of a bucket
// (plan::CollectiveTask::bucket), each as if it were alone: in a phase a member
// takes such a box of every tensor.
//
// A short all-reduce has one phase, in which every member reduces everything:
// it reads more but waits once less. The slices of a long one are of all its
// tensors together, one behind the other.
//
// An all-reduce may be in place on any of its members: `out` is `in`.

#ifndef RUNTIME_COMMUNICATION_COLLECTIVE_H_
#define RUNTIME_COMMUNICATION_COLLECTIVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Transfer.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// A box of one of the tensors.
struct TensorBox {
  size_t tensor = 0;
  Transfer rows;
};

/// What one member takes of another one in a phase.
struct Boxes {
  std::vector<TensorBox> all;  // in the order of tensors; none is empty
  int64_t bytes = 0;
};

struct Phase {
  enum class Kind { kCopy, kReduce };
  Kind kind = Kind::kCopy;
  bool readsOut = false;     // of the members, `out` rather than `in`
  std::vector<Boxes> pulls;  // by member: what I take of its buffers
  std::vector<Boxes> gives;  // by member: what it takes of mine
};

/// One of the tensors that a collective moves.
struct PreparedTensor {
  plan::CollectiveTask task;
  bool fillsIdentity = false;  // `out`, before anything else
  bool setsAside = false;      // the result is in `out` only when all have read

  // Of the kinds that involve no others.
  std::vector<Transfer> localCopies;
  int64_t offsetValue = 0;  // of kOffset, the result

  int64_t inBytes = 0;
  int64_t outBytes = 0;
};

struct PreparedCollective {
  uint64_t gate = 0;                  // the number of their gate
  std::vector<int64_t> members;       // ranks
  int64_t me = 0;                     // this rank's place among them
  const std::string* name = nullptr;  // "all_reduce over data"
  uint64_t signature = 0;  // of what all members must agree on; the kind
                           // in the low byte
  std::vector<PreparedTensor> tensors;
  std::vector<CollectiveBuffers> buffers;  // of them, as their tasks say
  std::vector<Phase> phases;               // of the kinds that involve others
  int64_t asideBytes = 0;                  // of results that are set aside
  int64_t bytesFromOthers = 0;             // per run
};

/// What went wrong when two ranks meet in collectives of different signatures,
/// or sizes. Of a signature, the low byte is enough.
absl::Status mismatch(int64_t rank, uint64_t signature, int64_t otherRank,
                      uint64_t otherSignature);

/// Works out `tasks` as one collective, for rank `rank`, which is of `group`,
/// the tasks'. There is at least one, and they have passed the plan's checks.
/// The gate is still to be set.
PreparedCollective prepareCollective(
    const std::vector<plan::CollectiveTask>& tasks, const plan::Group& group,
    int64_t rank);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COLLECTIVE_H_
