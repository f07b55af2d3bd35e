// The options that must be equal on all ranks of a run.
//
// Ranks compare them before they run (bootstrap/Rendezvous.h). The list
// contains every option whose difference would make ranks wait for each other
// forever or compute something else. Files are compared by content, as their
// names may differ from host to host. The communicator adds --transport.
// Options for which rank 0 decides are not in the list: --json, --log-every,
// --profile, --keep, --wait-timeout.

#ifndef RUNTIME_MAIN_STARTOF_H_
#define RUNTIME_MAIN_STARTOF_H_

#include "runtime/bootstrap/Start.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Returns the program and its options as items, with default values where they
/// are not given. Reads parts of each file (data/Fingerprint.h).
bootstrap::Start startOf(const ProgramRun& run);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTOF_H_
