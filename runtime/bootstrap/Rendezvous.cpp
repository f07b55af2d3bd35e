#include "runtime/bootstrap/Rendezvous.h"

#include <utility>

#include "runtime/bootstrap/Arrival.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Reception.h"

namespace sbp::bootstrap {

absl::StatusOr<Connections> meet(const Environment& env, StartArguments start,
                                 const WaitLimit& limit) {
  const Identity identity = identify(env, std::move(start));
  return env.rank == 0 ? meetAsRankZero(env, identity, limit)
                       : meetRankZero(env, identity, limit);
}

}  // namespace sbp::bootstrap
