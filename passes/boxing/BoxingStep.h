// One step of a boxing: a collective over some mesh axes, or a local operation.
//
// Before the step all axes of a set A have one component; after it they all
// have another one:
//
//   AllReduce      P    -> B       every member gets the reduction of all terms
//   AllGather      S(d) -> B       every member gets all parts
//   ReduceScatter  P    -> S(d)    every member gets its part of the reduction
//   AllToAll       S(i) -> S(j)    every member sends a block to each other
//   Slice          B    -> S(d)    every member keeps its part; moves nothing
//   Pad            S(d) -> P       neutral elements elsewhere; moves nothing
//   ToPartial      B    -> P       neutral elements but on one; moves nothing
//
// Legality. A dimension that several axes split is cut by the major axis first.
// So the parts that a group over A holds are adjacent only if the axes in A are
// the minor-most of those that split the dimension:
//
//   [S(0), S(0)] -> [S(0), B]   a gather: the parts of axis 1 are adjacent
//   [S(0), S(0)] -> [B, S(0)]   no step: the parts of axis 0 are not adjacent
//
// The same holds for the dimension that the axes in A split after the step.

#ifndef PASSES_BOXING_BOXINGSTEP_H_
#define PASSES_BOXING_BOXINGSTEP_H_

#include "dialects/sbp/Algebra.h"

namespace sbp {

/// The kinds of steps, as above.
enum class StepKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  Slice,
  Pad,
  ToPartial,
};

/// Returns the name of the rank dialect's op that does the step: "all_reduce",
/// "slice" ...
llvm::StringRef stringOf(StepKind kind);

/// Returns the kind of the step from component `from` to another component
/// `to`. No step leads from one Partial component to another.
StepKind stepKindOf(Component from, Component to);

/// A step over some axes, with the placement that it results in.
struct BoxingStep {
  /// Indices of mesh axes, ascending; each axis has more than one device.
  llvm::SmallVector<int64_t, 3> axes;
  /// The component of the axes before and after the step.
  Component from, to;
  /// The placement of the tensor after the step.
  Placement result;

  StepKind kind() const { return stepKindOf(from, to); }
};

}  // namespace sbp

#endif  // PASSES_BOXING_BOXINGSTEP_H_
