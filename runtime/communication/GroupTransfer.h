// A transfer between two groups, as one of their ranks sees it: who gets which
// part of whose buffer.
//
// A rank of the target has a box of the tensor; it takes of each box of the
// source what the two have in common:
//
//   source on ranks 0, 1   [S(0)]      0: rows 0..3     1: rows 4..7
//   target on ranks 2, 3   [S(1)]      2: columns 0..3  3: columns 4..7
//
//   rank 2 takes rows 0..3, columns 0..3 of rank 0, and rows 4..7 of rank 1
//
// Where several ranks of the source hold the same box, a rank takes it of
// itself, if it is one of them, and else of the one that its own place in the
// target tells: so they share the work, and both ends know who gives.

#ifndef RUNTIME_COMMUNICATION_GROUPTRANSFER_H_
#define RUNTIME_COMMUNICATION_GROUPTRANSFER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/Transfer.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// What goes between this rank and another one, or itself.
struct Parcel {
  int64_t peer = 0;            // rank
  std::vector<Transfer> rows;  // from the sender's buffer to the receiver's

  int64_t bytes() const;
};

struct PreparedTransfer {
  int64_t firstCell = 0;                  // of its occurrences
  std::vector<Parcel> sent;               // by this rank
  std::vector<Parcel> received;           // by this rank
  int64_t sentBufferBytes = 0;            // of the box that it has to send
  int64_t receivedBufferBytes = 0;        // and to receive
  const std::string* sendName = nullptr;  // "send of %h to group back"
  const std::string* receiveName = nullptr;
};

/// Works out `transfer`, which has passed the plan's checks, for rank `rank`.
PreparedTransfer prepareTransfer(const plan::Transfer& transfer,
                                 const std::vector<plan::Group>& groups,
                                 int64_t rank);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_GROUPTRANSFER_H_
