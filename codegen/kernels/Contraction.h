// A contraction as a set of loops over two inputs and one output.
//
//   "bik,kj->bij"     C[b,i,j] = sum over k of A[b,i,k] * B[k,j]
//
// Every index of an einsum is a loop; what matters of it is how far one step of
// the loop moves in A, in B and in C. Where it moves decides its role:
//
//   A and C    m    a row of the result
//   B and C    n    a column
//   A, B       k    summed over (so is an index of A alone or B alone)
//   all three  batch
//
// Any number of loops becomes a matrix product inside outer loops: neighbours
// that walk memory as one are merged, then one loop of each role is chosen to
// be blocked, and the others go around it. Which matrix is "A" is a matter of
// names, so that the two swap when the result is then written along its rows.

#ifndef CODEGEN_KERNELS_CONTRACTION_H_
#define CODEGEN_KERNELS_CONTRACTION_H_

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace sbp {

/// One loop of a contraction: its extent, and how many elements one step moves
/// in A, B and C; 0 where it does not index.
struct ContractionLoop {
  int64_t extent = 1;
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;

  bool isSummed() const { return c == 0; }
};

/// A contraction in order to be blocked. The address of an element is the sum
/// over all loops of index times stride.
struct Contraction {
  // Around the blocked loops, outermost first.
  llvm::SmallVector<ContractionLoop> outer;        // batches and columns
  llvm::SmallVector<ContractionLoop> outerSummed;  // summed
  llvm::SmallVector<ContractionLoop> outerRows;    // rows: B stays as it is
  ContractionLoop segments;  // summed: one of them, to lay end to end along k
  ContractionLoop m, n, k;   // blocked
  bool isSwapped = false;    // A of this is the right operand, B the left

  /// Loops that each write another element of the result.
  llvm::SmallVector<ContractionLoop> parallelLoops() const;
  llvm::SmallVector<ContractionLoop> summedLoops() const;
};

/// The contraction of row-major tensors that `equation` states: "bik,kj->bij".
/// An index may be repeated within an operand (a diagonal). The equation must
/// be well-formed and agree with the shapes.
Contraction contractionOf(llvm::StringRef equation,
                          llvm::ArrayRef<int64_t> leftShape,
                          llvm::ArrayRef<int64_t> rightShape);

/// The contraction with these loops, in any order and number.
Contraction arrange(llvm::SmallVector<ContractionLoop> loops);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_CONTRACTION_H_
