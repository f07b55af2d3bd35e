// Names of tensors from the model's text, kept in locations.
//
// MLIR drops the names of values when it parses. So the location of an op keeps
// the names of its results, and the location of a block argument keeps its
// name:
//
//   %hidden = nn.einsum ...       "hidden" at gpt.mlir:12
//   %mean, %spread = nn.some_op   ["mean", "spread"] at gpt.mlir:13
//   %both:2 = nn.some_op          "both" at gpt.mlir:14: "both#0", "both#1"
//
// Passes propagate locations, so names survive cloning and moving. A pass names
// a tensor that it makes after the tensor from which it makes it: "gradient of
// hidden". The text of a form spells names as identifiers (Spelling.h).
//
// Names are for readers only. No decision may depend on a name.

#ifndef PASSES_NAMES_NAMES_H_
#define PASSES_NAMES_NAMES_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Location.h"

namespace sbp {

/// Returns `location` with `name` in place of its names. "%" and "@" in `name`
/// are dropped, and "#" becomes "_". If `name` is empty, the result has no
/// name.
Location named(const llvm::Twine& name, Location location);

/// Returns the name of a value: "%hidden"; "@gain" for a parameter that is
/// read, or for its new value; "gradient of hidden"; empty if it has no name.
std::string nameOf(Value value);

/// Returns the name in `location`; empty if it has none, or several.
std::string nameIn(Location location);

/// Returns `location` without any name.
Location withoutNames(Location location);

/// Returns the location of `value` with its own name, even if its op has
/// several results.
Location locationOf(Value value);

/// Returns "gradient of hidden" for a tensor "%hidden"; empty if `tensor` has
/// no name.
std::string nameOfGradient(Value tensor);

/// Gives the results of `op` the names `names`, one per result. Keeps the file
/// location of `op`.
void nameResults(Operation* op, ArrayRef<std::string> names);

/// Returns the place in a file that `location` speaks of: the first one if
/// there are several, the callee's if it is a call. Null if `location` is in no
/// file.
mlir::FileLineColLoc placeInFile(Location location);

/// Returns the file and line, "models/gpt.mlir:12"; empty if `location` is in
/// no file.
std::string placeOf(Location location);

}  // namespace sbp

#endif  // PASSES_NAMES_NAMES_H_
