// The number of files and sockets that this process may have open (`ulimit
// -n`).

#ifndef RUNTIME_COMMUNICATION_DESCRIPTORLIMIT_H_
#define RUNTIME_COMMUNICATION_DESCRIPTORLIMIT_H_

#include <cstdint>

#include "absl/status/status.h"

namespace sbp::communication {

/// Raises the limit to the highest value that this process may set. Fails if
/// that is less than a rank of a world of `numRanks` ranks needs; the error has
/// both numbers.
absl::Status raiseDescriptorLimit(int64_t numRanks);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_DESCRIPTORLIMIT_H_
