// The calls of NCCL that carry out a collective.
//
// NCCL moves contiguous pieces of memory: one per member, all of the same size,
// in the order of the members. If a collective needs other pieces, rows are
// copied before and after the calls. "Aside" is a scratch buffer for these
// copies:
//
//   before   rows of operands are copied aside, without gaps
//   calls    one group of calls of NCCL, for all tensors of a bucket
//   after    rows are copied from aside into results
//
//   kind             calls per tensor      copies
//   all-reduce       an all-reduce         none
//   all-gather       an all-gather         before, if parts are uneven: each is
//                                          padded to the largest;
//                                          after, if parts are uneven or have
//                                          gaps in the result
//   reduce-scatter   a reduce-scatter      as for all-gather, with before and
//                                          after exchanged
//   all-to-all,      a send and a receive  before and after, of boxes that
//   halo exchange    per other member      have gaps; also of the box that a
//                                          member takes from itself

#ifndef RUNTIME_CUDA_NCCLSTEPS_H_
#define RUNTIME_CUDA_NCCLSTEPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/communication/Collective.h"
#include "runtime/cuda/NcclLibrary.h"
#include "runtime/cuda/RowTable.h"

namespace sbp::cuda {

/// A contiguous piece of this rank's memory: in an operand, in a result, or
/// aside.
struct NcclPiece {
  /// The buffer of the piece: an operand, a result, or the scratch buffer.
  enum class Memory { kIn, kOut, kAside };
  Memory memory = Memory::kIn;
  size_t tensor = 0;   // whose operand or result it is; not for kAside
  int64_t offset = 0;  // in bytes
};

/// A call of NCCL.
struct NcclCall {
  enum class Kind { kAllReduce, kAllGather, kReduceScatter, kSend, kReceive };
  Kind kind = Kind::kAllReduce;
  NcclPiece source;   // not for kReceive
  NcclPiece target;   // not for kSend
  int64_t count = 0;  // number of elements in the piece of one member
  NcclType type = NcclType::kInt8;
  NcclReduction reduction = NcclReduction::kSum;
  int peer = 0;  // for kSend and kReceive: position of the other member
};

/// The steps of a collective for one of its members.
struct NcclSteps {
  std::vector<RowJob> before, after;  // owners: RowMover::kMine and kAside
  std::vector<NcclCall> calls;
  int64_t asideBytes = 0;  // size of the scratch buffer
};

/// Returns the steps of `collective`, which must not be local (plan::isLocal).
NcclSteps ncclStepsOf(const communication::PreparedCollective& collective);

/// Return NCCL's constants for a type and for a reduction. An i1 becomes a
/// byte, which is right for maxima and minima, but not for sums.
NcclType ncclTypeOf(plan::ElementType type);
NcclReduction ncclReductionOf(plan::ReductionKind reduction);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLSTEPS_H_
