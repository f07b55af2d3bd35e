// What the model's text calls a tensor, kept in locations.
//
// MLIR forgets the names of values as it parses. So the location of an op keeps
// what its results are called, and that of a block argument its own name:
//
//   %hidden = nn.einsum ...       "hidden" at gpt.mlir:12
//   %mean, %spread = nn.some_op   ["mean", "spread"] at gpt.mlir:13
//   %both:2 = nn.some_op          "both" at gpt.mlir:14: "both#0", "both#1"
//
// Passes hand locations on, so names survive whatever clones and moves ops.
// What a pass makes of a tensor, it names after that: "gradient of hidden". A
// form that is printed spells a name as an identifier (Spelling.h).
//
// Names are for readers. No decision may depend on one.

#ifndef PASSES_NAMES_NAMES_H_
#define PASSES_NAMES_NAMES_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Location.h"

namespace sbp {

/// `name` at the place in a file of `location`; no name if that is empty. Signs
/// of values and symbols, "%" and "@", are no part of a name.
Location named(const llvm::Twine& name, Location location);

/// Returns the name of a value: "%hidden"; "@gain" for a parameter that is
/// read, or its new value; "gradient of hidden"; empty where nobody has named
/// it.
std::string nameOf(Value value);

/// The one name that `location` gives; empty if it gives none, or several.
std::string nameIn(Location location);

/// `location` without any name.
Location withoutNames(Location location);

/// Where a value is made, under its own name, though its op may have others.
Location locationOf(Value value);

/// "gradient of hidden"; empty if `tensor` has no name.
std::string nameOfGradient(Value tensor);

/// Calls the results of `op`, all of them, so; it stays at its place.
void nameResults(Operation* op, ArrayRef<std::string> names);

/// "models/gpt.mlir:12", or empty if `location` is in no file.
std::string placeOf(Location location);

}  // namespace sbp

#endif  // PASSES_NAMES_NAMES_H_
