// Exit codes of a compiled program.
//
// If a process of a rank ends with one of these codes, or with kAbortedExitCode
// (communication/Communicator.h), this rank or another one has already printed
// the reason on stderr. So a launcher need not report it.

#ifndef RUNTIME_MAIN_EXITCODE_H_
#define RUNTIME_MAIN_EXITCODE_H_

#include <csignal>

namespace sbp::program {

/// Invalid input from the user, or a failure.
inline constexpr int kErrorExitCode = 1;

/// Returns the exit code of a program that ended by itself after `signal` told
/// it to. A shell reports the same code for a program that the signal has
/// killed.
constexpr int exitCodeOfSignal(int signal) { return 128 + signal; }

/// Whether `code` is the exit code of a program that ended by itself after one
/// of the signals of Interrupt.h told it to.
constexpr bool isInterruptedExitCode(int code) {
  return code == exitCodeOfSignal(SIGINT) ||
         code == exitCodeOfSignal(SIGTERM) ||
         code == exitCodeOfSignal(SIGHUP) ||
         code == exitCodeOfSignal(SIGPIPE) || code == exitCodeOfSignal(SIGUSR1);
}

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_EXITCODE_H_
