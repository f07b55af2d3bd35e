// The message of a tool that crashes.

#ifndef TOOLS_CRASH_CRASHREPORT_H_
#define TOOLS_CRASH_CRASHREPORT_H_

#include <csignal>
#include <string>

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace sbp {

/// Makes a tool that crashes print its stack, and a message that this is a bug
/// in the tool. Also makes a write beyond the limit of a file's size fail; by
/// default, SIGXFSZ would end the tool. The object must live until the end of
/// main.
class CrashReport {
 public:
  /// `tool` is the tool's name. In the message, `material` follows "Please
  /// report it with ", and ends with a full stop.
  CrashReport(int& argc, char**& argv, const std::string& tool,
              const std::string& material)
      : init_(argc, argv, /*InstallPipeSignalExitHandler=*/false),
        message_(tool + " has crashed, which is a bug in " + tool +
                 ". Please report it with " + material + "\n") {
    llvm::setBugReportMsg(message_.c_str());
    // Without SIGXFSZ, a write beyond the limit of a file's size fails like a
    // write to a full disk, which the writer reports.
    std::signal(SIGXFSZ, SIG_IGN);
  }

 private:
  llvm::InitLLVM init_;
  std::string message_;
};

}  // namespace sbp

#endif  // TOOLS_CRASH_CRASHREPORT_H_
