// Named strategies: plans that people choose by hand.
//
// A strategy gives each axis of the mesh a role. A role allows some states of
// each decision, so a strategy is a restriction of the search space. The best
// plan of each strategy is compared with the best plan of all.
//
//   role of an axis   what ops do on it
//   Samples           split the samples; weights are used whole
//   Tensors           do not split the samples; may split all else
//   Features          split the last dimension of their results
//
//   data parallelism             all axes Samples; parameters are kept whole
//   ZeRO-3 (FSDP)                all axes Samples; parameters, and the
//                                arguments by which layers get them, are kept
//                                in parts
//   tensor parallelism           all axes Tensors
//   best Megatron grid           each axis Samples or Tensors
//   best SUMMA grid              each axis Samples or Features; parameters are
//                                kept in tiles. SUMMA broadcasts panel by
//                                panel; here the same bytes are gathered, and
//                                are in memory at once
//   AutoDDL's space              AutoDdlSpace.h
//
// AutoDDL's space is not a strategy but contains some. If pins contradict it,
// it has no plan.
//
// If an op cannot follow its strategy on all axes, or for all its tensors, it
// follows it on as many axes, and for as many tensors, as it can. Parameters do
// the same.

#ifndef PASSES_SEARCH_STRATEGIES_STRATEGIES_H_
#define PASSES_SEARCH_STRATEGIES_STRATEGIES_H_

#include <string>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/search/cheapest/CheapestPlan.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/reading/ReadProgram.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// A strategy, and its cheapest plan.
struct NamedStrategy {
  std::string name;
  /// Shape of a grid, such as "8 x 2": the number of devices among which
  /// samples are split, and the number among which the rest is split. Empty if
  /// the strategy is not a grid.
  std::string grid;
  /// The cheapest plan of the strategy, whatever its memory.
  CheapestPlan plan;
};

/// Returns the named strategies for `entry`, which was read as `program`. Each
/// takes a fraction of the time that `run` has left.
std::vector<NamedStrategy> namedStrategies(mlir::func::FuncOp entry,
                                           const mlir::SymbolTable& symbols,
                                           const ProgramDecisions& program,
                                           Movements& movements,
                                           const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_STRATEGIES_STRATEGIES_H_
