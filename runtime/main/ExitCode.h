// What the exit code of a compiled program says.
//
// A program that ends with one of these, or with kAbortedExitCode
// (Communicator.h), has said why on stderr, or another of its ranks has.
// Whoever started it need not say that it ended.

#ifndef RUNTIME_MAIN_EXITCODE_H_
#define RUNTIME_MAIN_EXITCODE_H_

namespace sbp::program {

/// Something that the user gave is wrong, or something broke.
inline constexpr int kErrorExitCode = 1;

/// What a shell reports of a program that Ctrl-C has ended.
inline constexpr int kInterruptedExitCode = 130;

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_EXITCODE_H_
