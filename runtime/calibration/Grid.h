// The ranks of a calibration, arranged like a machine in levels, and the groups
// of ranks that are measured in each level.
//
// The levels are those of hosts and of ranks within a host, or of GPUs
// (cuda/GpuLevels.h). With 2 hosts of 4 ranks the levels are "node" x 2 and
// "rank" x 4. The mesh has one axis for each prime factor of each level, the
// factors of a level in ascending order; here it is 2 x 2 x 2. A level has
// groups over its last axis, over its last two axes, and so on: in level "rank"
// they have 2 and 4 members. All groups of one size communicate at the same
// time. This is as in a program, where every rank is in one of these groups.

#ifndef RUNTIME_CALIBRATION_GRID_H_
#define RUNTIME_CALIBRATION_GRID_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::calibration {

/// The groups of one size within a level; each rank is in one of them.
struct GroupSize {
  int64_t members = 1;        // number of ranks in each group
  std::vector<int64_t> axes;  // indices into Grid::mesh, ascending
};

/// One level of the machine: `count` parts, such as hosts, which are linked by
/// one network.
struct Level {
  std::string name;
  int64_t count = 1;
  std::vector<GroupSize> groups;  // by ascending size; the last spans the level
};

/// The levels of the machine and the mesh over them.
struct Grid {
  std::vector<plan::Axis> mesh;
  std::vector<Level> levels;  // outermost first; count > 1
  GroupSize everyone;         // the group of all ranks
};

/// A level as makeGrid() gets it.
struct LevelExtent {
  std::string name;
  int64_t count = 1;
};

/// Returns the grid of `levels`, outermost first. Ranks are numbered part by
/// part. A level with one part is left out.
Grid makeGrid(const std::vector<LevelExtent>& levels);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_GRID_H_
