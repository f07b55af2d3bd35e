// The pipes of a table: the ways that micro-batches take through its stages.
//
// A pipe has a worker for each stage. Two micro-batches are of one pipe if, for
// each stage, their forwards are on the same worker. Most schedules have a
// single pipe. Chimera's simplest schedule has two in opposite directions:
//
//   worker 0 | 0F0 0F1     1F2 ...      pipe 0: stage 0 on worker 0, stage 1
//   worker 1 | 0F2 0F3     1F0 ...      on worker 1; micro-batches 0 and 1
//                                       pipe 1: stage 0 on worker 1, stage 1
//                                       on worker 0; micro-batches 2 and 3

#ifndef PASSES_SCHEDULE_PIPES_H_
#define PASSES_SCHEDULE_PIPES_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A worker for each stage, and the parts of micro-batches that use these
/// workers.
struct Pipe {
  std::vector<int64_t> workers;  // by stage
  std::vector<int64_t> parts;    // parts of micro-batches, ascending
};

/// Returns the pipes of `table`, which must be complete (Completeness.h), in
/// the order of their first parts.
std::vector<Pipe> pipesOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PIPES_H_
