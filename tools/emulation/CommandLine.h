// The command line of sbp-hosts.

#ifndef TOOLS_EMULATION_COMMANDLINE_H_
#define TOOLS_EMULATION_COMMANDLINE_H_

#include <string>

namespace sbp::emulation {

/// Parses the command line and runs its command on emulated hosts. `version` is
/// the answer to --version. Returns the exit code.
int runCommandLine(int argc, char** argv, const std::string& version);

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_COMMANDLINE_H_
