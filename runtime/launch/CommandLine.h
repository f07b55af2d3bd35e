// The command line of sbprun.

#ifndef RUNTIME_LAUNCH_COMMANDLINE_H_
#define RUNTIME_LAUNCH_COMMANDLINE_H_

namespace sbp::launch {

/// Reads the command line and launches what it says. Returns the exit code.
int runCommandLine(int argc, char** argv);

}  // namespace sbp::launch

#endif  // RUNTIME_LAUNCH_COMMANDLINE_H_
