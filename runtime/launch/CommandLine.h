// The command line of sbprun.

#ifndef RUNTIME_LAUNCH_COMMANDLINE_H_
#define RUNTIME_LAUNCH_COMMANDLINE_H_

#include <string>

namespace sbp::launch {

/// Parses the command line, and launches its program or calibrates the machine.
/// `version` is the answer to --version. Returns the exit code.
int runCommandLine(int argc, char** argv, const std::string& version);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_COMMANDLINE_H_
