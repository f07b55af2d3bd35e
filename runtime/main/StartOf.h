// The options that must be equal on all ranks of a run.
//
// Ranks compare these options before they run (bootstrap/Rendezvous.h). The
// list contains every option whose difference would make ranks wait for each
// other forever or compute something else. Files that are read are compared by
// content, as their names may differ from host to host. Files that are written
// are compared by path. communication::connect() adds --transport.
//
// Some options are not in the list. For --json, --log-every, --profile and
// --keep, the values of rank 0 count. For --wait-timeout, rank 0's value
// decides when a rank counts as hanging; each rank's own value limits the time
// for which it waits for the others to start (communication/World.h).

#ifndef RUNTIME_MAIN_STARTOF_H_
#define RUNTIME_MAIN_STARTOF_H_

#include "runtime/bootstrap/StartArguments.h"
#include "runtime/main/Session.h"

namespace sbp::program {

/// Returns the program and its options as start arguments. An option that is
/// not given has its default value, or no value if the checkpoint of --load may
/// decide it. Reads the files that options name, but of a long file only some
/// blocks (data/Fingerprint.h).
bootstrap::StartArguments startOf(const ProgramRun& run);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTOF_H_
