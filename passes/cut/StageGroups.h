// Groups of ranks for stages: a mesh divided into equal parts of consecutive
// ranks.
//
// The outermost axes are divided first, so that the fast links are within a
// group. On a mesh of 2 nodes x 4 devices:
//
//   2 groups    a node each: 4 devices
//   4 groups    half a node each: 2 devices
//   8 groups    a device each, on an axis of size 1

#ifndef PASSES_CUT_STAGEGROUPS_H_
#define PASSES_CUT_STAGEGROUPS_H_

#include <optional>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Divides `mesh`, which must have all ranks, into `numGroups` equal groups, in
/// the order of their ranks. Returns nullopt if the axes of `mesh` do not allow
/// this division.
std::optional<std::vector<Mesh>> divideIntoGroups(const Mesh& mesh,
                                                  int64_t numGroups);

/// Creates an op `sbp.mesh @name` for `mesh`, a group of ranks of `machine`.
MeshOp createGroup(OpBuilder& builder, StringRef name, MachineOp machine,
                   const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_CUT_STAGEGROUPS_H_
