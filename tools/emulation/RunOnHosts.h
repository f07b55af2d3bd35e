// Runs a command on several emulated hosts at once.

#ifndef TOOLS_EMULATION_RUNONHOSTS_H_
#define TOOLS_EMULATION_RUNONHOSTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/emulation/Wires.h"

namespace sbp::emulation {

/// Exit code if hosts cannot be emulated. Test runners treat it as "skipped".
inline constexpr int kCannotEmulate = 77;

/// A command, and the hosts and links on which it runs.
struct Job {
  int64_t numHosts = 2;
  Link link;
  /// The command. {host} in its words stands for the number of the host,
  /// counted from 0, and {address} for the address of host 0.
  std::vector<std::string> command;
};

/// Makes the hosts, runs the command on each of them, carries their network
/// traffic, and waits until all commands have ended. Returns 0 if all of them
/// returned 0. If one fails, sends SIGTERM to the others, kills those that have
/// not ended 10 seconds later, and returns the exit code of the command that
/// failed first (128 + signal if it was killed). Returns kCannotEmulate or 1,
/// with a message on stderr, if the commands cannot be run.
///
/// Each host has cores of its own if there are enough, and its command has
/// priority over other processes on this machine. The command of host 0 reads
/// the standard input unless that is a terminal; the others read nothing.
/// SIGINT, SIGTERM and SIGHUP are passed on, and the result is then 128 +
/// signal. If this process is killed, so are the commands. Takes over the
/// signals and the scheduling of this process; call it from a process that has
/// a single thread and no children.
int runOnHosts(const Job& job);

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_RUNONHOSTS_H_
