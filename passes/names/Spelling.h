// Names of tensors as the text of a form has them.
//
// A name in a text is an identifier, and each value of a function has another.
// So "gradient of hidden" is `%gradient_of_hidden` there, and a second
// "hidden" `%hidden_0`. Whoever reads the text again knows no other names. So
// that a program is the same whether its forms were printed and read on the
// way or not, tensors are called after each form what its text calls them.

#ifndef PASSES_NAMES_SPELLING_H_
#define PASSES_NAMES_SPELLING_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// `name` as an identifier: "gradient_of_hidden". Empty for a number, which a
/// text gives to what has no name.
std::string spelled(StringRef name);

/// Calls every tensor of `module` what its text calls it, printed with names as
/// prefixes (mlir::OpPrintingFlags::printNameLocAsPrefix).
void spellNames(ModuleOp module);

/// The text of `module`, in which tensors have their names.
std::string textOf(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_NAMES_SPELLING_H_
