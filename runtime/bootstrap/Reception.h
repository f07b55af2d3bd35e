// The rendezvous on rank 0: it listens until all ranks have come.

#ifndef RUNTIME_BOOTSTRAP_RECEPTION_H_
#define RUNTIME_BOOTSTRAP_RECEPTION_H_

#include "absl/status/statusor.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Patience.h"
#include "runtime/bootstrap/Rendezvous.h"

namespace sbp::bootstrap {

/// Implements meet() (Rendezvous.h) for rank 0.
absl::StatusOr<Connections> receive(const Environment& env,
                                    const Identity& identity,
                                    const Patience& patience);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_RECEPTION_H_
