// The command line of sbp-hosts.

#ifndef RUNTIME_EMULATION_COMMANDLINE_H_
#define RUNTIME_EMULATION_COMMANDLINE_H_

namespace sbp::emulation {

/// Reads the command line and runs what it says on emulated hosts. Returns the
/// exit code.
int runCommandLine(int argc, char** argv);

}  // namespace sbp::emulation

#endif  // RUNTIME_EMULATION_COMMANDLINE_H_
