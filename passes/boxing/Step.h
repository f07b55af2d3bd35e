// One step of a boxing: a collective over some mesh axes, or a local move.
//
// A step takes the components of a set A of mesh axes, all equal, to other
// components, all equal:
//
//   AllReduce      P    -> B       every member gets the reduction of all terms
//   AllGather      S(d) -> B       every member gets all parts
//   ReduceScatter  P    -> S(d)    every member gets its part of the reduction
//   AllToAll       S(i) -> S(j)    every member sends each other one a block
//   Slice          B    -> S(d)    keeps its own part; moves nothing
//   Pad            S(d) -> P       neutral elements elsewhere; moves nothing
//   ToPartial      B    -> P       neutral elements but on one; moves nothing
//
// Which steps are legal. A dimension that several axes split is cut by the
// major axis first, so the parts that a group over A holds are neighbours only
// if A is the minor-most of the axes that split the dimension:
//
//   [S(0), S(0)] -> [S(0), B]   a gather: the parts of axis 1 are neighbours
//   [S(0), S(0)] -> [B, S(0)]   no step: between two parts of axis 0 lie others
//
// That holds for the dimension left (in the source) and the one entered (in the
// target).

#ifndef PASSES_BOXING_STEP_H_
#define PASSES_BOXING_STEP_H_

#include "dialects/sbp/Algebra.h"

namespace sbp {

enum class StepKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  Slice,
  Pad,
  ToPartial,
};

/// "all_reduce", "slice" ...: the op of the rank dialect that does the step.
llvm::StringRef stringOf(StepKind kind);

/// The step that takes a component `from` to `to`, which differ.
StepKind stepKindOf(Component from, Component to);

struct Step {
  /// Indices of mesh axes, ascending; each has more than one device.
  llvm::SmallVector<int64_t, 3> axes;
  /// What the axes have before and after.
  Component from, to;
  /// The placement of the tensor after the step.
  Placement result;

  StepKind kind() const { return stepKindOf(from, to); }
};

}  // namespace sbp

#endif  // PASSES_BOXING_STEP_H_
