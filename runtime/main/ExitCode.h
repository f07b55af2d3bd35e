// Exit codes of a compiled program.
//
// If a rank that is a process ends with one of these codes, or with
// kAbortedExitCode (communication/Communicator.h), it has printed the reason on
// stderr, or another rank has. A launcher need not report the end again.

#ifndef RUNTIME_MAIN_EXITCODE_H_
#define RUNTIME_MAIN_EXITCODE_H_

#include <csignal>

namespace sbp::program {

/// Invalid input from the user, or a failure.
inline constexpr int kErrorExitCode = 1;

/// Returns the exit code of a program that ended in order because a signal told
/// it to. A shell reports the same code for a program killed by the signal.
constexpr int exitCodeOfSignal(int signal) { return 128 + signal; }

/// Whether `code` is the exit code of a program that ended in order because a
/// signal told it to (Interrupt.h).
constexpr bool isInterruptedExitCode(int code) {
  return code == exitCodeOfSignal(SIGINT) ||
         code == exitCodeOfSignal(SIGTERM) ||
         code == exitCodeOfSignal(SIGHUP) ||
         code == exitCodeOfSignal(SIGPIPE) || code == exitCodeOfSignal(SIGUSR1);
}

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_EXITCODE_H_
