// What all ranks of a run must have been started with alike.
//
// Ranks compare it before they run (bootstrap/Rendezvous.h), so it lists every
// option whose difference would make them wait for each other or compute
// something else. Files count by what they hold, as their names may differ from
// host to host. Options that rank 0 decides on for all are not in it: --json,
// --log-every, --profile, --wait-timeout.

#ifndef RUNTIME_MAIN_STARTOF_H_
#define RUNTIME_MAIN_STARTOF_H_

#include "runtime/bootstrap/Start.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// The program and its options, with the values that they have where they are
/// not given. Reads some of each file (data/Fingerprint.h).
bootstrap::Start startOf(const Run& run);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTOF_H_
