// The rendezvous on ranks other than 0: they connect to rank 0.

#ifndef RUNTIME_BOOTSTRAP_ARRIVAL_H_
#define RUNTIME_BOOTSTRAP_ARRIVAL_H_

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Rendezvous.h"
#include "runtime/bootstrap/WaitLimit.h"

namespace sbp::bootstrap {

/// Implements meet() (Rendezvous.h) for ranks other than 0.
absl::StatusOr<Connections> meetRankZero(const Environment& env,
                                         const Identity& identity,
                                         const WaitLimit& limit);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ARRIVAL_H_
