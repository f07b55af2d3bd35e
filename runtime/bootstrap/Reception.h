// The rendezvous on rank 0: it listens until all ranks have come.

#ifndef RUNTIME_BOOTSTRAP_RECEPTION_H_
#define RUNTIME_BOOTSTRAP_RECEPTION_H_

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Rendezvous.h"
#include "runtime/bootstrap/WaitLimit.h"

namespace sbp::bootstrap {

/// Implements meet() (Rendezvous.h) for rank 0.
absl::StatusOr<Connections> meetAsRankZero(const Environment& env,
                                           const Identity& identity,
                                           const WaitLimit& limit);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RECEPTION_H_
