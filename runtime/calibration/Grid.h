// The ranks of a calibration, seen as a machine: levels, and groups within
// them.
//
// With 2 hosts of 4 ranks the levels are "node" x 2 and "rank" x 4. The mesh
// has an axis per prime factor of each, 2 x 2 x 2, so that groups of every size
// that a program could have are there: in "rank", of 2 (the last axis) and of 4
// (the last two). All groups of a size communicate at once, as in a program,
// where every rank is in one.

#ifndef RUNTIME_CALIBRATION_GRID_H_
#define RUNTIME_CALIBRATION_GRID_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::calibration {

/// The groups of one size within a level.
struct Group {
  int64_t members = 1;
  std::vector<int64_t> axes;  // indices into the mesh
};

struct Level {
  std::string name;
  int64_t count = 1;
  std::vector<Group> groups;  // ascending; the last is all of the level
};

struct Grid {
  std::vector<plan::Axis> mesh;
  std::vector<Level> levels;  // outermost first; each of more than one part
  Group everyone;             // all ranks, over all levels
};

/// Of `numNodes` hosts with `ranksPerNode` ranks each, numbered host by host.
Grid makeGrid(int64_t numNodes, int64_t ranksPerNode);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_GRID_H_
