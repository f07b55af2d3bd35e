// A contraction as a nest of loops over two inputs A, B and an output C.
//
//   "bik,kj->bij"     C[b,i,j] = sum over k of A[b,i,k] * B[k,j]
//
// Every index of the einsum is a loop, described by its extent and its strides
// in A, B and C. The tensors that it indexes decide the role of a loop:
//
//   A and C            m       rows of the result
//   B and C            n       columns of the result
//   A or B, not C      k       summed over
//   A, B and C         batch
//
// A contraction with any number of loops becomes a matrix product inside outer
// loops. Loops of one role that step through memory as a single loop would are
// merged. Then one loop each of the roles m, n and k is chosen for blocking;
// the rest become outer loops. Vectors run along n. So A and B change places,
// and with them m and n, if the elements of the result are adjacent along a
// loop of role m.

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
  // A summed loop around k, which packing may join with k to one longer sum.
  ContractionLoop segments;
  ContractionLoop m, n, k;  // the loops to block; extent 1 if there is none
  bool isSwapped = false;   // A is the right operand, B the left one

  /// Returns the loops that index the result: batches, rows and columns.
  llvm::SmallVector<ContractionLoop> parallelLoops() const;
  /// Returns the loops that are summed over.
  llvm::SmallVector<ContractionLoop> summedLoops() const;
};

/// Returns the contraction of dense row-major tensors that `equation`, such as
/// "bik,kj->bij", states. An index may be repeated within an operand (a
/// diagonal). The equation must be well-formed and agree with the shapes.
Contraction contractionOf(llvm::StringRef equation,
                          llvm::ArrayRef<int64_t> leftShape,
                          llvm::ArrayRef<int64_t> rightShape);

/// Returns the contraction with `loops`, whose order and number are arbitrary.
/// The loops to block are: as m the longest; as n one along which the result is
/// contiguous, else the longest; as k one along which an operand is contiguous,
/// else the longest; as segments the longest summed loop of the rest.
Contraction arrange(llvm::SmallVector<ContractionLoop> loops);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_CONTRACTION_H_
