// The one rule from which everything about distributing an op is derived.
//
// An op declares its loops, and which loop runs over which dimension of each
// operand and result, as linalg does. A contraction "bi,ij->bj" has three:
//
//   loop   kind       operand 0   operand 1   result
//   b      parallel   dim 0       -           dim 0
//   i      reduction  dim 1       dim 0       -
//   j      parallel   -           dim 1       dim 1
//
// To split a loop over a mesh axis is to split the tensors that the loop
// indexes, and to give every device the whole of the other operands. A result
// that the loop does not index is then Partial. Read as placements, the rows
// above are signatures of a matrix product on one axis; the last three lines
// hold for every contraction:
//
//   b   (S(0), B)    -> S(0)         data parallel
//   i   (S(1), S(0)) -> P(sum)       row parallel
//   j   (B, S(1))    -> S(1)         column parallel
//       (B, B)       -> B            replicated
//       (P(sum), B)  -> P(sum)       linear in operand 0
//       (B, P(sum))  -> P(sum)       linear in operand 1
//
// On a mesh of several axes each axis follows a signature of its own choice.
// Data parallelism, tensor parallelism, sequence parallelism, 2.5-D products
// and sharded optimisers are points of this space, not features.

#ifndef DIALECTS_SBP_LOOPNEST_H_
#define DIALECTS_SBP_LOOPNEST_H_

#include <functional>

#include "dialects/sbp/Algebra.h"

namespace sbp {

/// A loop of an op.
struct Loop {
  enum class Kind {
    Parallel,   // iterations are independent; the loop indexes every result
    Reduction,  // results that the loop does not index combine by `reduction`
    Whole,      // never split: every device runs all iterations
  };
  Kind kind = Kind::Parallel;
  int64_t extent = 1;
  Reduction reduction = Reduction::Sum;
  /// Whether the loop may be split into parts of equal size only. This is so
  /// where a dimension that the loop indexes has several elements per
  /// iteration, as in a reshape that merges dimensions.
  bool evenOnly = false;

  static Loop parallel(int64_t extent) { return {Kind::Parallel, extent}; }
  static Loop reduce(int64_t extent, Reduction reduction) {
    return {Kind::Reduction, extent, reduction};
  }
  static Loop whole(int64_t extent) { return {Kind::Whole, extent}; }
};

/// The loop that runs over each dimension of a tensor, or kNoLoop.
using TensorLoops = llvm::SmallVector<int64_t, 4>;
inline constexpr int64_t kNoLoop = -1;

/// A set of operands and a reduction with which the op commutes: if all these
/// operands are Partial and all others Broadcast, the results are Partial. A
/// contraction has one pass per operand, an addition has one pass with both
/// operands.
struct PartialPass {
  Reduction reduction = Reduction::Sum;
  llvm::SmallVector<int64_t, 2> operands;
};

/// One legal way to run an op on one mesh axis: a component per operand and
/// result.
struct Signature {
  /// The loop that is split; kNoLoop in the replicated signature and in those
  /// of partial passes.
  int64_t loop = kNoLoop;
  llvm::SmallVector<Component, 4> operands;
  llvm::SmallVector<Component, 2> results;
  /// Whether a device needs elements that are not in its parts. Then the op
  /// itself communicates them (CommunicatingOpInterface).
  bool communicates = false;

  /// Returns the text of the signature, such as "(S(0), B) -> (S(0))".
  std::string str() const;
};

/// The loops of an op, and the dimensions that they index.
struct LoopNest {
  llvm::SmallVector<Loop, 4> loops;
  llvm::SmallVector<TensorLoops, 3> operands;
  llvm::SmallVector<TensorLoops, 2> results;
  llvm::SmallVector<PartialPass, 2> partialPasses;
  /// Floating-point operations per iteration of all loops.
  double flopsPerPoint = 1;

  /// Further signatures, by which the op itself communicates.
  llvm::SmallVector<Signature, 0> communicating;
  /// Whether signatures, one per axis of a mesh, can be combined. At least one
  /// of them must communicate. Null if the op has no CommunicatingOpInterface.
  std::function<bool(const Mesh&, llvm::ArrayRef<const Signature*>)> canCombine;

  /// Adds `loop` and returns its index.
  int64_t addLoop(Loop loop) {
    loops.push_back(loop);
    return static_cast<int64_t>(loops.size()) - 1;
  }
  /// Returns the floating-point operations of the whole op.
  double flops() const;
};

/// Returns all signatures of an op on one mesh axis: the replicated one, one
/// per loop that may be split, one per partial pass, then the communicating
/// ones.
llvm::SmallVector<Signature, 8> signaturesOf(const LoopNest& nest);

/// Whether an axis of `size` devices may split `loop`, if other axes already
/// split it into `alreadySplit` parts (1 if no other axis does).
bool maySplit(const Loop& loop, int64_t alreadySplit, int64_t size);

/// Returns the first loop that is split although it must not be: a Whole loop,
/// or an `evenOnly` loop in parts of different sizes. Returns kNoLoop if there
/// is none. Axis k of `mesh` splits the loop `splitLoops[k]`, or none if that
/// is kNoLoop.
int64_t findIllegalSplit(const LoopNest& nest, const Mesh& mesh,
                         llvm::ArrayRef<int64_t> splitLoops);

/// Returns the number of parts into which the axes of `mesh` split `loop`. Axis
/// k splits the loop `splitLoops[k]`, or none if that is kNoLoop.
int64_t numParts(int64_t loop, const Mesh& mesh,
                 llvm::ArrayRef<int64_t> splitLoops);

}  // namespace sbp

#endif  // DIALECTS_SBP_LOOPNEST_H_
