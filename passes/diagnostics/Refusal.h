// The reason why a check refuses an op, as text for another diagnostic.

#ifndef PASSES_DIAGNOSTICS_REFUSAL_H_
#define PASSES_DIAGNOSTICS_REFUSAL_H_

#include <optional>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Runs `check` and holds back its diagnostics. Returns nullopt if `check`
/// succeeds, else the text of its first error. If the text starts with the name
/// of `op`, that name is left out.
std::optional<std::string> refusalBy(
    mlir::Operation* op, llvm::function_ref<llvm::LogicalResult()> check);

}  // namespace sbp

#endif  // PASSES_DIAGNOSTICS_REFUSAL_H_
