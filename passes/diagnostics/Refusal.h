// Reason for which a check refuses an op, as a part of another diagnostic.

#ifndef PASSES_DIAGNOSTICS_REFUSAL_H_
#define PASSES_DIAGNOSTICS_REFUSAL_H_

#include <optional>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Runs `check`, and holds back what it emits. Returns nullopt if it succeeds,
/// and otherwise the text of its first error; without the name of the op at
/// the beginning if that is the name of `op`.
std::optional<std::string> refusalBy(
    mlir::Operation* op, llvm::function_ref<llvm::LogicalResult()> check);

}  // namespace sbp

#endif  // PASSES_DIAGNOSTICS_REFUSAL_H_
