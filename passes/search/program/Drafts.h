// What there is to decide in a program, before it is asked in which ways.

#ifndef PASSES_SEARCH_PROGRAM_DRAFTS_H_
#define PASSES_SEARCH_PROGRAM_DRAFTS_H_

#include <string>
#include <vector>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/plan/Plan.h"
#include "passes/search/program/PlacementSpace.h"
#include "passes/search/program/Sites.h"

namespace sbp::search {

/// Where a follower learns how one of its tensors should lie.
struct Source {
  int64_t slot = -1;  // of its decision; -1: nowhere
  bool isGradient = false;
};

/// An op of a decision: its first one, a twin of that, or a follower.
struct Member {
  DistributedOpInterface op;
  int64_t firstSlot = 0;
  bool isFollower = false;
  /// Of a follower, per operand and result.
  SmallVector<Source> operands = {}, results = {};
};

/// A decision, without its states.
struct Draft {
  std::string name;
  /// What there is to choose from: placements of an argument or a parameter,
  /// which is slot 0; if there are none, signatures of the first member.
  SmallVector<Placement> placements = {};
  SmallVector<Member> members = {};
  int64_t numSlots = 0;
};

/// Drafts the decisions of `entry` and all that it calls, and fills `sites`.
/// Slots number the drafts in order. Tensors that are pinned, or placed by
/// `plan`, have one placement.
std::vector<Draft> draftDecisions(mlir::func::FuncOp entry,
                                  const mlir::SymbolTable& symbols,
                                  const PlacementSpace& space, const Plan& plan,
                                  Sites& sites);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_DRAFTS_H_
