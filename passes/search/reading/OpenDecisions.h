// Open decisions of a program: members and slots, without states.
// ReadProgram.h says which ops are decisions, followers and tied ops.

#ifndef PASSES_SEARCH_READING_OPENDECISIONS_H_
#define PASSES_SEARCH_READING_OPENDECISIONS_H_

#include <string>
#include <vector>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/plan/Plan.h"
#include "passes/search/reading/PlacementSpace.h"
#include "passes/search/reading/Sites.h"

namespace sbp::search {

/// The slot from which a follower takes the placement of one of its tensors.
struct Source {
  int64_t slot = -1;  // of the decision; -1 if there is none
  bool isGradient = false;
};

/// An op of a decision: the op that decides, an op tied to it, or a follower.
struct Member {
  DistributedOpInterface op;
  int64_t firstSlot = 0;
  bool isFollower = false;
  /// Per operand and per result of a follower.
  SmallVector<Source> operands = {}, results = {};
};

/// A decision whose states are not known yet.
struct OpenDecision {
  std::string name;
  /// Choices of a decision about an argument or a parameter: the placements of
  /// slot 0. If empty, the decision is about ops, and its choices are the
  /// signatures of the first member.
  SmallVector<Placement> placements = {};
  SmallVector<Member> members = {};
  int64_t numSlots = 0;
};

/// Returns the decisions of `entry` and of all functions that it calls, and
/// fills `sites`. The decision of a slot in `sites` is an index into the
/// result. A tensor that is pinned, or that `plan` places, has one placement.
std::vector<OpenDecision> openDecisionsOf(mlir::func::FuncOp entry,
                                          const mlir::SymbolTable& symbols,
                                          const PlacementSpace& space,
                                          const Plan& plan, Sites& sites);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_OPENDECISIONS_H_
