// Groups of ranks for stages: a mesh divided into equal parts, by a shape
// (GroupShape.h). On a mesh of 2 nodes x 4 devices:
//
//   2x1    a node each: ranks 0 1 2 3 and 4 5 6 7
//   1x2    half of each node: ranks 0 1 4 5 and 2 3 6 7, as a mesh of 2 x 2
//   2x4    a device each, on an axis of size 1
//
// A group has the axes that its shape leaves longer than 1, each with the links
// of its axis of the mesh.

#ifndef PASSES_CUT_STAGEGROUPS_H_
#define PASSES_CUT_STAGEGROUPS_H_

#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/cut/GroupShape.h"

namespace sbp {

/// Divides `mesh`, which must have all ranks, into the groups of `shape`, a
/// shape of `mesh`.
std::vector<Mesh> divideIntoGroups(const Mesh& mesh, const GroupShape& shape);

/// Creates an op `sbp.mesh @name` for `mesh`, a group of ranks of `machine`.
MeshOp createGroup(OpBuilder& builder, StringRef name, MachineOp machine,
                   const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_CUT_STAGEGROUPS_H_
