// Names of tensors from the model's text, kept in locations.
//
// MLIR drops the names of values when it parses. Here, the location of an op
// therefore keeps the names of its results, and the location of a block
// argument keeps its name:
//
//   %hidden = nn.einsum ...       "hidden" at gpt.mlir:12
//   %mean, %spread = nn.some_op   ["mean", "spread"] at gpt.mlir:13
//   %both:2 = nn.some_op          "both" at gpt.mlir:14: "both#0", "both#1"
//
// Passes propagate locations, so names survive cloning and moving. If a pass
// makes a tensor from another, it derives the name too: "gradient of hidden".
// The text of a form spells names as identifiers (Spelling.h).
//
// Names are for readers only. No decision may depend on a name.

#ifndef PASSES_NAMES_NAMES_H_
#define PASSES_NAMES_NAMES_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Location.h"

namespace sbp {

/// Returns `location` with the single name `name` instead of any names that it
/// has. Drops "%" and "@" from `name`, and replaces "#" by "_". If `name` is
/// empty, the result has no name.
Location named(const llvm::Twine& name, Location location);

/// Returns the name of a value, such as "%hidden" or "gradient of hidden";
/// empty if it has no name. A value that is read from a parameter, or becomes
/// its new value, is named after the parameter: "@gain".
std::string nameOf(Value value);

/// Returns the name in `location`; empty if it has none, or more than one.
std::string nameIn(Location location);

/// Returns `location` without any name.
Location withoutNames(Location location);

/// Returns the location of `value` with the name of `value` alone, even if its
/// op has several results.
Location locationOf(Value value);

/// Returns "gradient of hidden" for a tensor "%hidden"; empty if `tensor` has
/// no name.
std::string nameOfGradient(Value tensor);

/// Gives the results of `op` the names `names`, one per result. Keeps the file
/// location of `op`.
void nameResults(Operation* op, ArrayRef<std::string> names);

/// Returns the position in a file that `location` refers to. If there are
/// several, returns the first one; for a call, that of the callee. Returns null
/// if `location` refers to no file.
mlir::FileLineColLoc placeInFile(Location location);

/// Returns file and line of `location`, "models/gpt.mlir:12"; empty if
/// `location` refers to no file.
std::string placeOf(Location location);

}  // namespace sbp

#endif  // PASSES_NAMES_NAMES_H_
