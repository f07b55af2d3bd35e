// Choices of one signature per mesh axis: the ways in which an op can run on a
// mesh.

#ifndef CODEGEN_CHECK_SIGNATURECHOICES_H_
#define CODEGEN_CHECK_SIGNATURECHOICES_H_

#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// A signature per axis of a mesh.
using SignatureChoice = SmallVector<Signature, 2>;

/// Returns the placement of operand `index`, or of result `index`.
Placement operandPlacement(ArrayRef<Signature> choice, size_t index);
Placement resultPlacement(ArrayRef<Signature> choice, size_t index);

/// Returns all choices of signatures of `nest` (signaturesOf) that are legal on
/// `mesh`: each loop is split as it may be, no tensor is Partial by two
/// reductions, and communicating signatures can be combined.
std::vector<SignatureChoice> legalChoices(const LoopNest& nest,
                                          const Mesh& mesh);

/// Returns the text of a choice, such as "(S(0), B) -> (S(0)); (B) -> (B)".
std::string toString(ArrayRef<Signature> choice);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SIGNATURECHOICES_H_
