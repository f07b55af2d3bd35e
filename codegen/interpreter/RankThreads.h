// Runs a function once per rank, each in a thread, as one unit of work that
// fails or succeeds.

#ifndef CODEGEN_INTERPRETER_RANKTHREADS_H_
#define CODEGEN_INTERPRETER_RANKTHREADS_H_

#include <cstdint>

#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// Calls `body(rank)` for every rank below `numRanks`, each in a thread of its
/// own, and blocks until all have returned. Fails if one fails. If ranks fail,
/// it emits only the diagnostic of the lowest of them, with a note that names
/// the rank.
LogicalResult runRankThreads(
    MLIRContext* context, int64_t numRanks,
    llvm::function_ref<LogicalResult(int64_t rank)> body);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANKTHREADS_H_
