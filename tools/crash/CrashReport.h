// The message of a tool that crashes.

#ifndef TOOLS_CRASH_CRASHREPORT_H_
#define TOOLS_CRASH_CRASHREPORT_H_

#include <csignal>

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace sbp {

/// Prints a message and the stack where the tool ends by a fault of its own.
class CrashReport {
 public:
  CrashReport(int& argc, char**& argv, const char* message)
      : init_(argc, argv, /*InstallPipeSignalExitHandler=*/false) {
    llvm::setBugReportMsg(message);
    // A file that may not grow is a full disk, which whoever writes reports.
    std::signal(SIGXFSZ, SIG_IGN);
  }

 private:
  llvm::InitLLVM init_;
};

}  // namespace sbp

#endif  // TOOLS_CRASH_CRASHREPORT_H_
