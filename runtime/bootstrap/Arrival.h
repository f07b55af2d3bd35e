// The other ranks' side of the rendezvous: they go to where rank 0 listens.

#ifndef RUNTIME_BOOTSTRAP_ARRIVAL_H_
#define RUNTIME_BOOTSTRAP_ARRIVAL_H_

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Patience.h"
#include "runtime/bootstrap/Rendezvous.h"

namespace sbp::bootstrap {

/// Of meet(): the part of a rank that is not 0.
absl::StatusOr<Meeting> arrive(const Environment& env, const Identity& identity,
                               const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_ARRIVAL_H_
