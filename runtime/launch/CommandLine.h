// The command line of sbprun.

#ifndef RUNTIME_LAUNCH_COMMANDLINE_H_
#define RUNTIME_LAUNCH_COMMANDLINE_H_

#include <string>

namespace sbp::launch {

/// Parses the command line, then launches the program that it names, or
/// calibrates the machine. `version` is the text that --version prints. Returns
/// the exit code of sbprun.
int runCommandLine(int argc, char** argv, const std::string& version);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_COMMANDLINE_H_
