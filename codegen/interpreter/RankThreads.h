// Runs a function once per rank, each time in a thread of its own.

#ifndef CODEGEN_INTERPRETER_RANKTHREADS_H_
#define CODEGEN_INTERPRETER_RANKTHREADS_H_

#include <cstdint>

#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// Calls `body(rank)` for every rank below `numRanks`, each in a thread of its
/// own, and blocks until all have returned. Fails if a call fails. Meanwhile
/// multithreading is enabled in `context`.
///
/// Emits only one of the threads' diagnostics, at the end: the first error of
/// the lowest rank that has an error, or without errors the first diagnostic of
/// the lowest rank that has one. A note names the rank.
LogicalResult runRankThreads(
    MLIRContext* context, int64_t numRanks,
    llvm::function_ref<LogicalResult(int64_t rank)> body);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANKTHREADS_H_
