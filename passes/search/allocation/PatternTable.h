// A pattern as a schedule table (passes/schedule/Table.h).
//
// A worker runs the forwards and backwards of its stages in the order of their
// starts within a period. An operation that starts h periods after the first
// one of its micro-batch is of the step h before that of the row: it has the
// step offset -h. Each step has one micro-batch, whose gradients update the
// weights right after each backward.

#ifndef PASSES_SEARCH_ALLOCATION_PATTERNTABLE_H_
#define PASSES_SEARCH_ALLOCATION_PATTERNTABLE_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Table.h"
#include "passes/search/allocation/Pattern.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// A table, and the times of its stages in milliseconds.
struct PatternTable {
  schedule::Table table;
  std::vector<double> forward, backward;  // by stage of the table
};

/// The workers of a table.
enum class TableWorkers {
  kProcessors,          // that have a stage, in the order of their first stages
  kProcessorsAndLinks,  // then links, on which transfers are stages of their
                        // own
};

/// Returns the table of a valid pattern. With links as workers, running it
/// takes exactly the pattern's period per step, if that is the least one for
/// its order of operations. Stages of the chain and transfers then alternate.
PatternTable tableOfPattern(const StageCosts& costs, const Pattern& pattern,
                            TableWorkers workers);

/// Returns `microBatches` repetitions of a pattern's table as one training step
/// that ends with a flush. No worker holds more than in the pattern.
schedule::Table flushedTable(const schedule::Table& pattern,
                             int64_t microBatches);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_PATTERNTABLE_H_
