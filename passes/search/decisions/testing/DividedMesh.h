// A mesh for tests of decision graphs: an axis between nodes, and two alike
// axes within a node.

#ifndef PASSES_SEARCH_DECISIONS_TESTING_DIVIDEDMESH_H_
#define PASSES_SEARCH_DECISIONS_TESTING_DIVIDEDMESH_H_

#include "dialects/sbp/Algebra.h"

namespace sbp::search {

/// Returns a mesh of two nodes of four devices; all axes have two devices.
inline Mesh dividedMesh() {
  return {{{"node", 2, 2e-5, 8e-11, {}, 0},
           {"gpu.0", 2, 5e-6, 5e-12, {}, 1},
           {"gpu.1", 2, 5e-6, 5e-12, {}, 1}}};
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_TESTING_DIVIDEDMESH_H_
