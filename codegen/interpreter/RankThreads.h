// Runs a function once per rank, each in a thread, as one piece of work that
// fails or succeeds.

#ifndef CODEGEN_INTERPRETER_RANKTHREADS_H_
#define CODEGEN_INTERPRETER_RANKTHREADS_H_

#include <cstdint>

#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// Calls `body(rank)` for every rank below `numRanks`, each in a thread of its
/// own, and waits for all. When ranks fail, the diagnostic of the first of them
/// is emitted, with a note that names the rank, and no other.
LogicalResult runRankThreads(
    MLIRContext* context, int64_t numRanks,
    llvm::function_ref<LogicalResult(int64_t rank)> body);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANKTHREADS_H_
