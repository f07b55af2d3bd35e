#include "runtime/bootstrap/Rendezvous.h"

#include <utility>

#include "runtime/bootstrap/Arrival.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Reception.h"

namespace sbp::bootstrap {

absl::StatusOr<Connections> meet(const Environment& env, Start start,
                                 const Patience& patience) {
  const Identity identity = identify(env, std::move(start));
  return env.rank == 0 ? receive(env, identity, patience)
                       : arrive(env, identity, patience);
}

}  // namespace sbp::bootstrap
