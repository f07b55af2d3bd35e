// Exit codes of a compiled program.
//
// A program that ends with one of these codes, or with kAbortedExitCode
// (Communicator.h), has printed the reason on stderr, or another of its ranks
// has. A launcher need not report it again.

#ifndef RUNTIME_MAIN_EXITCODE_H_
#define RUNTIME_MAIN_EXITCODE_H_

#include <csignal>

namespace sbp::program {

/// Invalid input from the user, or a failure.
inline constexpr int kErrorExitCode = 1;

/// Returns the exit code of a program that a signal has told to end, and that
/// ended in order. It is the code that a shell reports for a program killed by
/// the signal.
constexpr int exitCodeOfSignal(int signal) { return 128 + signal; }

/// Whether `code` means that a program was told to end and ended in order.
constexpr bool isInterruptedExitCode(int code) {
  return code == exitCodeOfSignal(SIGINT) ||
         code == exitCodeOfSignal(SIGTERM) ||
         code == exitCodeOfSignal(SIGHUP) ||
         code == exitCodeOfSignal(SIGPIPE) || code == exitCodeOfSignal(SIGUSR1);
}

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_EXITCODE_H_
