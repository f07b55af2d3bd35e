// A compiled program as its user starts it.

#ifndef RUNTIME_MAIN_PROGRAM_H_
#define RUNTIME_MAIN_PROGRAM_H_

#include <string_view>

#include "runtime/Abi.h"
#include "runtime/cpu/Features.h"

namespace sbp::program {

/// Runs the program of `planText` and `kernels` (Abi.h), which are for
/// `processor`, as the command line says, as one rank of its world or, with
/// --in-process, as all of them. Returns the exit code:
///
///   0    all went well
///   1    the user got something wrong, or this rank failed; there is a message
///   3    another rank failed (communication::kAbortedExitCode)
///   128 + signal  it was told to end, and has: 130 by Ctrl-C, 143 by SIGTERM,
///        129 by SIGHUP, 138 by SIGUSR1, 141 where nobody reads what it prints;
///        a run that trains and saves has saved before
///
/// A mistake of the user is reported by rank 0 alone.
int runProgram(int argc, const char* const* argv, std::string_view planText,
               const SbpKernel* kernels, const cpu::Processor& processor = {});

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_PROGRAM_H_
