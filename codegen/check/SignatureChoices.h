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

/// Return the placement of operand or result `index`: on each mesh axis, the
/// component that it has in the axis's signature in `choice`.
Placement operandPlacement(ArrayRef<Signature> choice, size_t index);
Placement resultPlacement(ArrayRef<Signature> choice, size_t index);

/// Returns all choices of signatures of `nest` (signaturesOf) that are legal on
/// `mesh`: no loop is split in a way that its nest forbids (findIllegalSplit),
/// no tensor is Partial by two different reductions, and communicating
/// signatures can be combined.
std::vector<SignatureChoice> legalChoices(const LoopNest& nest,
                                          const Mesh& mesh);

/// Returns the text of a choice, such as "(S(0), B) -> (S(0)); (B) -> (B)".
std::string toString(ArrayRef<Signature> choice);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SIGNATURECHOICES_H_
