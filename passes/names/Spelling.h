// Spells the names of tensors as the text of a form does.
//
// In text, a name is an identifier that is unique within its function:
// "gradient of hidden" is printed as `%gradient_of_hidden`, and a second
// "hidden" as `%hidden_0`. Parsing the text yields only these names. Tensors
// are therefore renamed to them after each form. So a program is the same
// whether or not its forms were printed and parsed on the way.

#ifndef PASSES_NAMES_SPELLING_H_
#define PASSES_NAMES_SPELLING_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns `name` as an identifier: "gradient_of_hidden". Returns an empty text
/// if `name` is empty, or consists of digits as do the names that MLIR's
/// printer makes up.
std::string spelled(StringRef name);

/// Renames every tensor of `module` to the name that textOf() prints for it.
void spellNames(ModuleOp module);

/// Returns the text of `module` with the names of its tensors
/// (mlir::OpPrintingFlags::printNameLocAsPrefix). If `withPlaces`, the text has
/// the location of each op in the model's text: loc("gpt.mlir":12:5).
std::string textOf(ModuleOp module, bool withPlaces = false);

}  // namespace sbp

#endif  // PASSES_NAMES_SPELLING_H_
