// What the exit code of a compiled program says.
//
// A program that ends with one of these, or with kAbortedExitCode
// (Communicator.h), has said why on stderr, or another of its ranks has.
// Whoever started it need not say that it ended.

#ifndef RUNTIME_MAIN_EXITCODE_H_
#define RUNTIME_MAIN_EXITCODE_H_

#include <csignal>

namespace sbp::program {

/// Something that the user gave is wrong, or something broke.
inline constexpr int kErrorExitCode = 1;

/// A signal told the program to end, and it did, in order. The same is what a
/// shell reports of a program that the signal has ended.
constexpr int exitCodeOfSignal(int signal) { return 128 + signal; }

/// Whether a program ends in order with this code when it is told to.
constexpr bool isInterruptedExitCode(int code) {
  return code == exitCodeOfSignal(SIGINT) ||
         code == exitCodeOfSignal(SIGTERM) ||
         code == exitCodeOfSignal(SIGHUP) ||
         code == exitCodeOfSignal(SIGPIPE) || code == exitCodeOfSignal(SIGUSR1);
}

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_EXITCODE_H_
