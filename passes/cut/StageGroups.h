// Groups of ranks for stages: equal parts of a mesh.
//
// The outermost axes are divided first, so that a stage has the fast links to
// itself. On a mesh of 2 nodes x 4 devices:
//
//   2 groups    each node is one: 4 devices
//   4 groups    half a node each: 2 devices
//   8 groups    a device each, on an axis of one
//
// The ranks of a group follow one another.

#ifndef PASSES_CUT_STAGEGROUPS_H_
#define PASSES_CUT_STAGEGROUPS_H_

#include <optional>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// `mesh`, one of all ranks, in so many equal groups; nothing if its axes
/// cannot be divided so.
std::optional<std::vector<Mesh>> divideIntoGroups(const Mesh& mesh,
                                                  int64_t numGroups);

/// The group `mesh` of ranks of `machine` as an op.
MeshOp createGroup(OpBuilder& builder, StringRef name, MachineOp machine,
                   const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_CUT_STAGEGROUPS_H_
