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
// A short all-reduce has one phase, in which every member reduces everything:
// it reads more but waits once less.
//
// An all-reduce may be in place on any of its members: `out` is `in`.

#ifndef RUNTIME_COMMUNICATION_COLLECTIVE_H_
#define RUNTIME_COMMUNICATION_COLLECTIVE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Transfer.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

struct Phase {
  enum class Kind { kCopy, kReduce };
  Kind kind = Kind::kCopy;
  bool readsOut = false;        // of the members, `out` rather than `in`
  std::vector<Transfer> pulls;  // by member: what I take of its buffer
  std::vector<Transfer> gives;  // by member: what it takes of mine
};

struct PreparedCollective {
  plan::CollectiveTask task;
  uint64_t gate = 0;                  // the number of their gate
  std::vector<int64_t> members;       // ranks
  int64_t me = 0;                     // this rank's place among them
  const std::string* name = nullptr;  // "all_reduce over data"
  uint64_t signature = 0;  // of what all members must agree on; the kind
                           // in the low byte

  bool fillsIdentity = false;  // `out`, before anything else

  // Of the kinds that involve others.
  std::vector<Phase> phases;
  bool setsAside = false;  // the result is in `out` only when all have read

  // Of the others.
  std::vector<Transfer> localCopies;
  int64_t offsetValue = 0;  // of kOffset, the result

  int64_t inBytes = 0;
  int64_t outBytes = 0;
  int64_t bytesFromOthers = 0;  // per run
};

/// What went wrong when two ranks meet in collectives of different signatures,
/// or sizes. Of a signature, the low byte is enough.
absl::Status mismatch(int64_t rank, uint64_t signature, int64_t otherRank,
                      uint64_t otherSignature);

/// Works out `task`, which has passed the plan's checks, for rank `rank`, which
/// is of `group`, the task's. Its gate is still to be set.
PreparedCollective prepareCollective(const plan::CollectiveTask& task,
                                     const plan::Group& group, int64_t rank);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COLLECTIVE_H_
