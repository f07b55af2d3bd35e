// The command line of the compiler.

#ifndef CODEGEN_DRIVER_SBPCMAIN_H_
#define CODEGEN_DRIVER_SBPCMAIN_H_

#include <string>

namespace sbp {

/// Runs `sbpc` with the arguments of `main`, and returns its exit status: 0, or
/// 1 after an error. `version` is printed for --version, and written into
/// plans.
int sbpcMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_SBPCMAIN_H_
