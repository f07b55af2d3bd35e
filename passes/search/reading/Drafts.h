// Drafts of the decisions of a program: members and slots, without states.
// ReadProgram.h says which ops are decisions, followers and twins.

#ifndef PASSES_SEARCH_READING_DRAFTS_H_
#define PASSES_SEARCH_READING_DRAFTS_H_

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

/// An op of a decision: the op that decides, a twin of it, or a follower.
struct Member {
  DistributedOpInterface op;
  int64_t firstSlot = 0;
  bool isFollower = false;
  /// Per operand and per result of a follower.
  SmallVector<Source> operands = {}, results = {};
};

/// A decision, without its states.
struct Draft {
  std::string name;
  /// Choices of a decision about an argument or a parameter: the placements of
  /// slot 0. If empty, the decision is about ops, and its choices are the
  /// signatures of the first member.
  SmallVector<Placement> placements = {};
  SmallVector<Member> members = {};
  int64_t numSlots = 0;
};

/// Drafts the decisions of `entry` and of all functions that it calls, and
/// fills `sites`. The decision of a slot in `sites` is an index into the
/// result. A tensor that is pinned, or that `plan` places, has one placement.
std::vector<Draft> draftDecisions(mlir::func::FuncOp entry,
                                  const mlir::SymbolTable& symbols,
                                  const PlacementSpace& space, const Plan& plan,
                                  Sites& sites);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_DRAFTS_H_
