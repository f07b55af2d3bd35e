// A transfer between two groups, for one rank: the parts of buffers that the
// rank sends and receives.
//
// A rank of the target group holds a box (plan/Box.h) of the tensor. From each
// box of the source it takes the intersection with its own box:
//
//   source on ranks 0, 1   [S(0)]      0: rows 0..3     1: rows 4..7
//   target on ranks 2, 3   [S(1)]      2: columns 0..3  3: columns 4..7
//
//   rank 2 takes rows 0..3, columns 0..3 of rank 0, and rows 4..7 of rank 1
//
// Several ranks of the source may hold the same box. If the receiver is one of
// them, it takes the box from itself. Otherwise, if both groups have axes of
// the same sizes, the sender has the receiver's coordinates along all axes that
// do not split the source: a message does not leave the links between the
// groups unless its data lies elsewhere. If the groups have other axes, the
// receiver's position in the target group selects the sender. In both cases the
// ranks that hold the box share the work, and each rank knows without
// communication who sends to whom.

#ifndef RUNTIME_COMMUNICATION_GROUPTRANSFER_H_
#define RUNTIME_COMMUNICATION_GROUPTRANSFER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/RowCopy.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// The data that this rank sends to, or receives from, one rank, which may be
/// itself.
struct Parcel {
  int64_t peer = 0;           // the other rank, or this one
  std::vector<RowCopy> rows;  // from the sender's buffer to the receiver's

  int64_t bytes() const;
};

/// A transfer, prepared for one rank.
struct PreparedTransfer {
  // Number of the cell of the transfer's occurrence 0 (SendCell in
  // RankMemory.h). The cells of occurrences 1, 2, ... follow.
  int64_t firstCell = 0;
  std::vector<Parcel> sent;         // what this rank sends, one per receiver
  std::vector<Parcel> received;     // what this rank receives, one per sender
  int64_t sentBufferBytes = 0;      // size of this rank's box of the source
  int64_t receivedBufferBytes = 0;  // size of this rank's box of the target
  // Names of the two ends in messages to users, such as "send of %h to group
  // back"; null in a world of one rank.
  const std::string* sendName = nullptr;
  const std::string* receiveName = nullptr;
};

/// Returns the number of the cell of occurrence 0 of transfer `number`. If
/// `number` equals the size of `transfers`, returns how many cells there are.
int64_t firstCellOf(const std::vector<plan::Transfer>& transfers,
                    int64_t number);

/// Return the names of the two ends of a transfer in messages to users: "send
/// of %h to group back", "receive of %h from group front".
std::string sendNameOf(const plan::Transfer& transfer,
                       const std::vector<plan::Group>& groups);
std::string receiveNameOf(const plan::Transfer& transfer,
                          const std::vector<plan::Group>& groups);

/// Returns the ranks of the source's and of the target's group of `transfer`.
std::vector<int64_t> ranksOf(const plan::Transfer& transfer,
                             const std::vector<plan::Group>& groups);

/// Prepares `transfer`, which has passed the plan's checks, for rank `rank`. A
/// parcel without bytes is left out. Leaves `firstCell` and the names unset.
PreparedTransfer prepareTransfer(const plan::Transfer& transfer,
                                 const std::vector<plan::Group>& groups,
                                 int64_t rank);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_GROUPTRANSFER_H_
