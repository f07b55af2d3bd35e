// The message of a tool that crashes.

#ifndef TOOLS_CRASH_CRASHREPORT_H_
#define TOOLS_CRASH_CRASHREPORT_H_

#include <csignal>

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace sbp {

/// Has the tool print `message` and the stack if it crashes. Has a write beyond
/// the limit of a file's size fail, where SIGXFSZ would end the tool. The
/// object and `message` must live as long as main.
class CrashReport {
 public:
  CrashReport(int& argc, char**& argv, const char* message)
      : init_(argc, argv, /*InstallPipeSignalExitHandler=*/false) {
    llvm::setBugReportMsg(message);
    // Without SIGXFSZ, a write beyond the limit of a file's size fails like a
    // write to a full disk, which the writer reports.
    std::signal(SIGXFSZ, SIG_IGN);
  }

 private:
  llvm::InitLLVM init_;
};

}  // namespace sbp

#endif  // TOOLS_CRASH_CRASHREPORT_H_
