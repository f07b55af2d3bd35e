// The command `sbpc machine`, which prints the machine of this host.

#ifndef CODEGEN_DRIVER_MACHINEMAIN_H_
#define CODEGEN_DRIVER_MACHINEMAIN_H_

#include <string>

namespace sbp {

/// Runs the command line of `sbpc machine`; `argv[0]` is "machine". Returns the
/// exit status.
int machineMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MACHINEMAIN_H_
