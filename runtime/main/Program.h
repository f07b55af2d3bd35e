// The main function of a compiled program.

#ifndef RUNTIME_MAIN_PROGRAM_H_
#define RUNTIME_MAIN_PROGRAM_H_

#include <string_view>

#include "runtime/main/ProgramCode.h"

namespace sbp::program {

/// Runs the program of `planText` and `code` as the command line says: as one
/// rank of its world or, with --in-process, as all ranks, each on a thread.
/// Returns the exit code:
///
///   0    success
///   1    an error: invalid input from the user, numbers that are not finite, a
///        file that cannot be written, or a failure of this rank
///   3    another rank failed or was told to end
///        (communication::kAbortedExitCode)
///   128 + signal  a signal told it to end: 130 Ctrl-C, 143 SIGTERM,
///        129 SIGHUP, 138 SIGUSR1, 141 no process reads its output;
///        a training run that saves has saved before
///
/// A failure of one rank is reported by that rank, any other error by rank 0.
int runProgram(int argc, const char* const* argv, std::string_view planText,
               const ProgramCode& code);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_PROGRAM_H_
