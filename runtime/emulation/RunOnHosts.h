// Runs a command on every one of several emulated hosts at once.

#ifndef RUNTIME_EMULATION_RUNONHOSTS_H_
#define RUNTIME_EMULATION_RUNONHOSTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/emulation/Wires.h"

namespace sbp::emulation {

/// What the command ends with where hosts cannot be emulated. Test runners take
/// it for "skipped".
inline constexpr int kCannotEmulate = 77;

struct Job {
  int64_t numHosts = 2;
  Link link;
  /// In its words, {host} stands for the host's number, counted from 0, and
  /// {address} for the address of host 0.
  std::vector<std::string> command;
};

/// Makes the hosts, runs the command on each, carries what they send, and waits
/// for all. Returns 0 if all commands did; otherwise the code of the first that
/// failed (128 + signal), the others having been told to end, and killed if
/// they have not 10 seconds later; or kCannotEmulate, or 1, with a message on
/// stderr.
///
/// A command runs on the cores of its host, of which each has its own if there
/// are enough, and before what else runs on this machine. That of host 0 reads
/// the standard input, the others nothing. SIGINT and SIGTERM are passed on; if
/// this process is killed, the commands are too. Takes over the signals and the
/// scheduling of this process; call it from one that has a single thread and no
/// children.
int runOnHosts(const Job& job);

}  // namespace sbp::emulation

#endif  // RUNTIME_EMULATION_RUNONHOSTS_H_
