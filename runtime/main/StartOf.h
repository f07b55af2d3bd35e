// The options that must be equal on all ranks of a run.
//
// Ranks compare them before they run (bootstrap/Rendezvous.h). The list
// contains every option whose difference would make ranks wait for each other
// forever or compute something else. Files are compared by content, as their
// names may differ from host to host. The communicator adds --transport.
//
// Some options are not in the list. For --json, --log-every, --profile and
// --keep those of rank 0 count. Of --wait-timeout, rank 0's value decides when
// a rank hangs; each rank's own value is a limit on the time for which it waits
// for the others to start (communication/World.h).

#ifndef RUNTIME_MAIN_STARTOF_H_
#define RUNTIME_MAIN_STARTOF_H_

#include "runtime/bootstrap/Start.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Returns the program and its options as items. An option that is not given
/// has its default value; or no value if a checkpoint is loaded, which may
/// decide. Reads parts of each file (data/Fingerprint.h).
bootstrap::Start startOf(const ProgramRun& run);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTOF_H_
