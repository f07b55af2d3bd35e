// The location of a collective's operand and result on one rank.

#ifndef RUNTIME_COMMUNICATION_COLLECTIVEBUFFERS_H_
#define RUNTIME_COMMUNICATION_COLLECTIVEBUFFERS_H_

#include <cstdint>

namespace sbp::communication {

/// The buffers of one tensor of a collective, as offsets in the rank's arena.
struct CollectiveBuffers {
  int64_t in = 0;
  int64_t out = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COLLECTIVEBUFFERS_H_
