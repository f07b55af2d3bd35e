// Advice for a model of which no cut fits into the memory: a change of the
// options with which one does.

#ifndef PASSES_CUT_CUTADVICE_H_
#define PASSES_CUT_CUTADVICE_H_

#include <optional>
#include <string>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/Passes.h"

namespace sbp {

/// A function that cuts a copy of a model by some options. Returns an estimate
/// of the seconds of a step; nullopt if no cut fits, or if the options do not
/// fit the model. Emits no diagnostic.
using CutTrial = llvm::function_ref<std::optional<double>(
    ModuleOp copy, const ChooseStagesOptions& options)>;

/// Returns a sentence with the change of `options` after which a cut of
/// `module` fits and a step takes the least time: more micro-batches, more
/// groups, or layers that keep less. Tries each change alone, and then
/// micro-batches for layers that keep their inputs. If none is found within a
/// few seconds, the sentence says what was tried.
std::string adviceForCut(ModuleOp module, const ChooseStagesOptions& options,
                         CutTrial trial);

}  // namespace sbp

#endif  // PASSES_CUT_CUTADVICE_H_
