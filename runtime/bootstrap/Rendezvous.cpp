#include "runtime/bootstrap/Rendezvous.h"

#include <utility>

#include "runtime/bootstrap/Arrival.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Reception.h"

namespace sbp::bootstrap {

absl::StatusOr<Meeting> meet(const Environment& env, Start start,
                             double timeoutSeconds) {
  const Identity identity = identify(env, std::move(start));
  return env.rank == 0 ? receive(env, identity, timeoutSeconds)
                       : arrive(env, identity, timeoutSeconds);
}

}  // namespace sbp::bootstrap
