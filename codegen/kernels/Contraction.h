// A contraction as a nest of loops over two inputs A, B and an output C.
//
//   "bik,kj->bij"     C[b,i,j] = sum over k of A[b,i,k] * B[k,j]
//
// Every index of the einsum is a loop, described by its extent and its strides
// in A, B and C. A loop has one of four roles, by the tensors that the loop
// indexes:
//
//   A and C            m       rows of the result
//   B and C            n       columns of the result
//   A or B, not C      k       summed over
//   A, B and C         batch
//
// A contraction with any number of loops becomes a matrix product inside outer
// loops. If loops of one role step through memory as a single loop would, they
// are merged. Then one loop of each of the roles m, n and k is chosen to be cut
// into blocks (codegen/cpu/contraction/Blocking.h), and a second loop of role k
// as `segments`. The other loops become outer loops. Vectors run along n, so
// the result should be contiguous along n. If it is contiguous along a loop of
// role m instead, A and B change places, and with them the roles m and n.

#ifndef CODEGEN_KERNELS_CONTRACTION_H_
#define CODEGEN_KERNELS_CONTRACTION_H_

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace sbp {

/// One loop of a contraction: its extent, and its strides in A, B and C, in
/// elements. A stride is 0 if the loop does not index the tensor.
struct ContractionLoop {
  int64_t extent = 1;
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;

  bool isSummed() const { return c == 0; }
};

/// A contraction whose loops are arranged for blocking. The offset of an
/// element is the sum over all loops of index times stride.
struct Contraction {
  // Loops around the blocked ones, outermost first.
  llvm::SmallVector<ContractionLoop> outer;        // batches and columns
  llvm::SmallVector<ContractionLoop> outerSummed;  // summed over
  llvm::SmallVector<ContractionLoop> outerRows;    // rows: B does not change
  // A summed loop around k. Packing may join both loops into one longer sum.
  ContractionLoop segments;
  ContractionLoop m, n, k;  // the loops to block; a missing one has extent 1
  bool isSwapped = false;   // A is the right operand, B the left one

  /// Returns the loops that index the result: batches, rows and columns.
  llvm::SmallVector<ContractionLoop> parallelLoops() const;
  /// Returns the loops that are summed over.
  llvm::SmallVector<ContractionLoop> summedLoops() const;
};

/// Returns the contraction that `equation`, such as "bik,kj->bij", describes,
/// for dense row-major tensors. An index may be repeated within an operand (a
/// diagonal). The equation must be well-formed and agree with the shapes.
Contraction contractionOf(llvm::StringRef equation,
                          llvm::ArrayRef<int64_t> leftShape,
                          llvm::ArrayRef<int64_t> rightShape);

/// Returns the contraction with `loops`, whose order and number are arbitrary.
/// After it has merged loops, and swapped A and B if needed, it chooses
///
///   m          the longest loop of role m
///   n          the loop of role n along which the result is contiguous; if
///              there is none, the longest one
///   k          the longest of the loops of role k along which an operand is
///              contiguous; if there is none, the longest one
///   segments   the longest of the other loops of role k
Contraction arrange(llvm::SmallVector<ContractionLoop> loops);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_CONTRACTION_H_
