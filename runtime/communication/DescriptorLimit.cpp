#include "runtime/communication/DescriptorLimit.h"

#include <sys/resource.h>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

// Number of other descriptors that a process needs: standard input and output,
// data, checkpoints, and files that libraries open.
constexpr int64_t kBesideRanks = 24;

}  // namespace

absl::Status raiseDescriptorLimit(int64_t numRanks) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return absl::OkStatus();
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const int64_t needed = numRanks + kBesideRanks;
  if (limit.rlim_cur >= static_cast<rlim_t>(needed)) return absl::OkStatus();
  return error(
      "this process may open {} files, but one of {} ranks needs {}; ulimit -n "
      "sets the limit",
      limit.rlim_cur, numRanks, needed);
}

}  // namespace sbp::communication
