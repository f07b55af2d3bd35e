// One step of a boxing: a collective over some mesh axes, or a local operation.
//
// A step changes all axes of a set A from one component to another. The members
// of a group over A are the ranks that differ only in their coordinates on A:
//
//   AllReduce      P    -> B       every member gets the reduction of all terms
//   AllGather      S(d) -> B       every member gets all parts
//   ReduceScatter  P    -> S(d)    every member gets its part of the reduction
//   AllToAll       S(i) -> S(j)    every member sends a block per other member
//   Slice          B    -> S(d)    every member keeps its part; nothing moves
//   Pad            S(d) -> P       every member fills the rest of the tensor
//                                  with neutral elements; nothing moves
//   ToPartial      B    -> P       all members but one replace the tensor by
//                                  neutral elements; nothing moves
//
// A dimension that several axes split is cut by the major axis first. So the
// parts that a group over A holds are adjacent only if the axes in A are the
// minor-most of those that split the dimension:
//
//   [S(0), S(0)] -> [S(0), B]   a gather: the parts of axis 1 are adjacent
//   [S(0), S(0)] -> [B, S(0)]   no step: the parts of axis 0 are not adjacent
//
// The same holds for the dimension that A splits after the step.

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

/// Returns the kind of the step from component `from` to component `to`, which
/// must be different. No step leads from one Partial component to another.
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
